// Adds tags to memories that are there, and the words by which searches know them.
//
// Whoever keeps tags of consolidated memories reads those that are `retagged` again.
//
// Parameters: $realm, $now, $rows
// Returns: tagged
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {realm: $realm, id: row.id})
  USING INDEX SEEK m:Memory(realm, id)
SET m.locked_at = $now
SET m.tags = coll.sort(coll.distinct(coalesce(m.tags, []) + row.tags)),
    m.marks = coll.distinct(coalesce(m.marks, []) + row.marks),
    m.tag_keys = coll.distinct(coalesce(m.tag_keys, []) + row.tag_keys), m.retagged = true
RETURN count(m) AS tagged
