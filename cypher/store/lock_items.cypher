// Locks the texts of a realm to write items, and returns what is stored under their ids.
//
// Whoever holds the Cursor 'texts' writes items alone, so nothing that was read under it changes.
//
// Parameters: $realm, $now, $ids
// Returns: id (of an item that is there), created_at (time of the first write, now if it has
//   expired), text_ids (texts by which it is found)
// Access: write
// Locks: the Cursor 'texts'

CYPHER 25
MERGE (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.locked_at = $now
WITH texts
UNWIND $ids AS id
MATCH (item:StoreItem {realm: $realm, id: id})
  USING INDEX SEEK item:StoreItem(realm, id)
RETURN id, CASE WHEN item.expires_at <= $now THEN $now ELSE item.created_at END AS created_at,
       COLLECT { MATCH (item)-[:INDEXED_AS]->(memory) RETURN memory.id } AS text_ids
