// Gives text memories their words and languages, and puts them back into the search index.
//
// Their words are counted by the statement that indexes them.
//
// Parameters: $realm, $now, $rows
// Returns: renewed (number of memories)
// Access: write
// Locks: Memory nodes in the order of the rows, which come by id

CYPHER 25
MATCH (realm:Realm {realm: $realm})
UNWIND $rows AS row
MATCH (memory:Memory {realm: $realm, id: row.id})
  USING INDEX SEEK memory:Memory(realm, id)
SET memory.locked_at = $now, memory += row.properties
FOREACH (_ IN CASE WHEN row.returns THEN [1] ELSE [] END |
  SET memory.indexed = true, memory.realm_key = realm.realm_key)
RETURN count(*) AS renewed
