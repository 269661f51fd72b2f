// Removes actors that causality created and that attempt nothing any more, whatever they said.
//
// Parameters: $realm, $actor_ids
// Returns: swept (number of actors)
// Access: write

CYPHER 25
UNWIND $actor_ids AS actor_id
MATCH (actor:Actor {realm: $realm, id: actor_id})
WHERE actor.source = 'causality' AND NOT EXISTS { (actor)-[link]-() WHERE NOT link:SAID }
DETACH DELETE actor
RETURN count(*) AS swept
