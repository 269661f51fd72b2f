// Deletes items. Their texts are forgotten by the caller.
//
// Parameters: $realm, $ids
// Returns: deleted (number of items)
// Access: write
// Locks: the StoreItem nodes; the caller holds the Cursor 'texts'

CYPHER 25
UNWIND $ids AS id
MATCH (item:StoreItem {realm: $realm, id: id})
  USING INDEX SEEK item:StoreItem(realm, id)
DETACH DELETE item
RETURN count(*) AS deleted
