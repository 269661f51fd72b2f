// Returns the names by which texts mention stars.
//
// Parameters: $realm
// Returns: id (star id), names (its name and its aliases)
// Access: read

CYPHER 25
MATCH (star:Star)
WHERE star.realm = $realm AND star.bucket >= 0 AND star.state <> 'NASCENT'
RETURN star.id AS id, [star.name] + coalesce(star.aliases, []) AS names
ORDER BY id
