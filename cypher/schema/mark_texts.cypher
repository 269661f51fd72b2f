// Gives text memories their marks, unless somebody else has changed these since they were read.
//
// Parameters: $realm, $now, $rows
// Returns: marked (number of memories)
// Access: write
// Locks: Memory nodes in the order of the rows, which come by id

CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {realm: $realm, id: row.id})
  USING INDEX SEEK memory:Memory(realm, id)
SET memory.locked_at = $now
WITH memory, row
WHERE memory.marks = row.before OR memory.marks IS NULL AND row.before IS NULL
SET memory.marks = row.marks
RETURN count(*) AS marked
