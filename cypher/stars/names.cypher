// Returns the names by which texts mention stars.
//
// Parameters: $realm
// Returns: id (star id), names (its name and its aliases), languages (of the texts of the realm)
// Access: read

CYPHER 25
OPTIONAL MATCH (here:Realm {realm: $realm})
WITH coalesce(here.languages, []) AS languages
MATCH (star:Star)
WHERE star.realm = $realm AND star.bucket >= 0 AND star.state <> 'NASCENT'
RETURN star.id AS id, [star.name] + coalesce(star.aliases, []) AS names, languages
ORDER BY id
