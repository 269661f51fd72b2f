// Lists the items of a namespace that pass a filter, the latest first, without expired ones.
//
// A filter is conditions on marks: one of several, none of several, one within a range.
//
// Parameters: $realm, $now, $prefix, $filter, $offset, $limit
// Returns: id (of the item), namespace (its labels, each ended by a unit separator), key (its name
//   in the namespace), value (its content as JSON), created_at (time of the first write),
//   updated_at (time of the latest write), ttl_minutes (how long it lives without use, or null)
// Access: read

CYPHER 25
MATCH (item:StoreItem)
  USING INDEX SEEK item:StoreItem(realm, namespace)
WHERE item.realm = $realm AND item.namespace STARTS WITH $prefix
  AND (item.expires_at IS NULL OR item.expires_at > $now)
  AND all(marks IN $filter.one_of WHERE any(mark IN marks WHERE mark IN item.marks))
  AND none(mark IN $filter.none_of WHERE mark IN item.marks)
  AND all(ends IN $filter.within
          WHERE any(mark IN item.marks WHERE ends[0] <= mark AND mark < ends[1]))
RETURN item.id AS id, item.namespace AS namespace, item.key AS key, item.value AS value,
       item.created_at AS created_at, item.updated_at AS updated_at,
       item.ttl_minutes AS ttl_minutes
ORDER BY updated_at DESC, namespace, key
SKIP $offset LIMIT $limit
