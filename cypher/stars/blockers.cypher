// Returns the blocks of a star, with the ceiling of each and the strength below which it ends.
//
// Parameters: $id, $settings, $realm
// Returns: blocker (id of the blocker), name (its name), state (state of the block), strength
//   (strength, 0 to 1), active (the block holds), ceiling (brightness it leaves), lifts_below
//   (strength below which it ends), bright_possible (BRIGHT is possible under it)
// Access: read

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})<-[link:BLOCKS]-(blocker:Star)
LET ceiling = CASE WHEN link.block_active
    THEN 1.0 - $settings.block_factor * link.strength ELSE 1.0 END
RETURN blocker.id AS blocker, blocker.name AS name, link.state AS state, link.strength AS strength,
       link.block_active AS active, ceiling, $settings.block_release AS lifts_below,
       ceiling >= $settings.bright_from - 1e-9 AS bright_possible
ORDER BY ceiling, blocker
