// Reads items by their ids, without those that have expired.
//
// Parameters: $realm, $now, $ids
// Returns: id (of the item), namespace (its labels, each ended by a unit separator), key (its name
//   in the namespace), value (its content as JSON), created_at (time of the first write),
//   updated_at (time of the latest write), ttl_minutes (how long it lives without use, or null)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (item:StoreItem {realm: $realm, id: id})
  USING INDEX SEEK item:StoreItem(realm, id)
WHERE item.expires_at IS NULL OR item.expires_at > $now
RETURN item.id AS id, item.namespace AS namespace, item.key AS key, item.value AS value,
       item.created_at AS created_at, item.updated_at AS updated_at,
       item.ttl_minutes AS ttl_minutes
