// Parts texts from the items that they belong to, before these texts are forgotten.
//
// Forgetting a text deletes its item, and an item that gets other words has to stay.
//
// Parameters: $realm, $text_ids
// Returns: released (number of texts)
// Access: write
// Locks: the Memory nodes and the StoreItem nodes; the caller holds the Cursor 'texts'

CYPHER 25
UNWIND $text_ids AS text_id
MATCH (item:StoreItem)-[link:INDEXED_AS]->(memory:Memory {realm: $realm, id: text_id})
  USING INDEX SEEK memory:Memory(realm, id)
WITH collect(link) AS links
FOREACH (link IN links | DELETE link)
RETURN size(links) AS released
