// Creates the players who attempted something, and leaves those that exist as they are.
//
// Parameters: $realm, $now, $rows
// Returns: id (of an actor that is new at this time)
// Access: write

CYPHER 25
UNWIND $rows AS row
MERGE (actor:Actor {realm: $realm, id: row.id})
ON CREATE SET actor.name = row.name, actor.caption = row.name, actor.kind = 'actor',
              actor.weight = 1.0, actor.energy = 0.0, actor.permanence = 0.5,
              actor.created_at = $now, actor.source = 'causality'
WITH DISTINCT actor WHERE actor.created_at = $now
RETURN actor.id AS id
