// Lists the namespaces that begin with some labels and hold an item that has not expired.
//
// Parameters: $realm, $now, $prefix
// Returns: namespace (its labels, each ended by a unit separator)
// Access: read

CYPHER 25
MATCH (item:StoreItem)
  USING INDEX SEEK item:StoreItem(realm, namespace)
WHERE item.realm = $realm AND item.namespace STARTS WITH $prefix
  AND (item.expires_at IS NULL OR item.expires_at > $now)
RETURN DISTINCT item.namespace AS namespace
ORDER BY namespace
