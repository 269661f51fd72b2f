// Lists items that have expired.
//
// Parameters: $realm, $now, $limit
// Returns: id (of the item)
// Access: read

CYPHER 25
MATCH (item:StoreItem)
  USING INDEX SEEK item:StoreItem(realm, expires_at)
WHERE item.realm = $realm AND item.expires_at <= $now
RETURN item.id AS id
ORDER BY id LIMIT $limit
