// Lets items live for their whole time again, because they were read.
//
// Parameters: $realm, $now, $ids
// Returns: refreshed (number of items)
// Access: write
// Locks: the StoreItem nodes in the order of $ids, which come sorted

CYPHER 25
UNWIND $ids AS id
MATCH (item:StoreItem {realm: $realm, id: id})
  USING INDEX SEEK item:StoreItem(realm, id)
SET item.locked_at = $now
WITH item WHERE item.expires_at > $now AND item.ttl_minutes IS NOT NULL
SET item.expires_at = $now + duration({seconds: item.ttl_minutes * 60})
RETURN count(item) AS refreshed
