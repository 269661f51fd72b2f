// The texts that repeat an earlier one, each with the first of them.
//
// Parameters: $realm, $limit
// Returns: duplicate (text that repeats another), original (text that it repeats),
//   text (words of the duplicate)
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
