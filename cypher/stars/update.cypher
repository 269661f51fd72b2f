// Gives a star another name, other aliases or another description.
//
// Parameters: $id, $props, $now, $realm
// Returns: id (star id)
// Access: write
// Locks: the Star node

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
SET star.locked_at = $now
SET star += $props, star.caption = coalesce($props.name, star.name)
REMOVE star.embedding
RETURN star.id AS id
