// Adds tags to memories that are there, and the words by which searches filter them.
//
// Consolidation keeps tags in memory, and reads those of `retagged` memories again.
//
// Parameters: $realm, $now, $rows
// Returns: tagged (number of memories)
// Access: write
// Locks: Memory nodes in the order of the rows, which come by id

CYPHER 25
UNWIND $rows AS row
MATCH (memory:Memory {realm: $realm, id: row.id})
  USING INDEX SEEK memory:Memory(realm, id)
SET memory.locked_at = $now
SET memory.tags = coll.sort(coll.distinct(coalesce(memory.tags, []) + row.tags)),
    memory.marks = coll.distinct(coalesce(memory.marks, []) + row.marks),
    memory.tag_keys = coll.distinct(coalesce(memory.tag_keys, []) + row.tag_keys),
    memory.retagged = true
RETURN count(memory) AS tagged
