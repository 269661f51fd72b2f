// The texts that were archived because they had been said before, each with the first of them.
//
// Parameters: $realm, $limit
// Returns: duplicate, original, text
// Access: read

:param realm => 'demo';
:param limit => 25;

CYPHER 25
MATCH (duplicate:Memory)
WHERE duplicate.realm = $realm AND duplicate.id IS NOT NULL AND duplicate.duplicate_of > ''
MATCH (original:Memory {realm: $realm, id: duplicate.duplicate_of})
RETURN duplicate, original, duplicate.text AS text
ORDER BY duplicate.rejected_at DESC, duplicate.id
LIMIT toInteger($limit)
