// Returns the connections of a star that turned DARK or left it, with what decides their types.
//
// Parameters: $id, $realm
// Returns: lower (lower id), upper (upper id), start (star it starts at), type (type), type_source
//   (USER, DETECTED or DEFAULT), dark (the star is DARK), other_dark (the other star is DARK)
// Access: read

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
      -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(other:Star)
WITH star, link, other, split(link.pair_key, '|') AS ends
RETURN ends[0] AS lower, ends[1] AS upper, startNode(link).id AS start, type(link) AS type,
       link.type_source AS type_source, star.state = 'DARK' AS dark,
       other.state = 'DARK' AS other_dark
ORDER BY lower, upper
