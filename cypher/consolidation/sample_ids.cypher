// Chooses texts of a realm, evenly spaced in the order of their ids.
//
// Parameters: $realm, $count
// Returns: ids (ids of the texts)
// Access: read

CYPHER 25
MATCH (memory:Memory) WHERE memory.realm = $realm AND memory.promoted_seq >= 0
WITH memory.id AS id ORDER BY id
WITH collect(id) AS ids
RETURN [place IN range(0, CASE WHEN size(ids) < $count THEN size(ids) ELSE $count END - 1)
        | ids[place * size(ids) / CASE WHEN size(ids) < $count THEN size(ids) ELSE $count END]]
  AS ids
