// What blocks a star, how far each lowers its ceiling, and what would lift it.
//
// Parameters: $id, $settings, $realm
// Returns: blocker, name, state, strength, active, ceiling, lifts_below, bright_possible
// Access: read

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})<-[r:BLOCKS]-(blocker:Star)
LET ceiling = CASE WHEN r.block_active THEN 1.0 - $settings.block_factor * r.strength ELSE 1.0 END
RETURN blocker.id AS blocker, blocker.name AS name, r.state AS state, r.strength AS strength,
       r.block_active AS active, ceiling, $settings.block_release AS lifts_below,
       ceiling >= $settings.bright_from - 1e-9 AS bright_possible
ORDER BY ceiling, blocker
