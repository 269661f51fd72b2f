// Writes items, and joins them to the texts by which they are found.
//
// Parameters: $realm, $rows
// Returns: written (number of items)
// Access: write
// Locks: the StoreItem nodes; the caller holds the Cursor 'texts'

CYPHER 25
UNWIND $rows AS row
MERGE (item:StoreItem {realm: $realm, id: row.id})
SET item += row.properties
CALL (item, row) {
  UNWIND row.text_ids AS text_id
  MATCH (memory:Memory {realm: $realm, id: text_id})
    USING INDEX SEEK memory:Memory(realm, id)
  MERGE (item)-[:INDEXED_AS]->(memory)
}
RETURN count(item) AS written
