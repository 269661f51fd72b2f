// Reads the items that some texts belong to, as far as they pass a filter and have not expired.
//
// Parameters: $realm, $now, $text_ids, $prefix, $filter
// Returns: text_id (of the text), id (of the item), namespace (its labels, each ended by a unit
//   separator), key (its name in the namespace), value (its content as JSON), created_at (time of
//   the first write), updated_at (time of the latest write), ttl_minutes (how long it lives without
//   use, or null)
// Access: read

CYPHER 25
UNWIND $text_ids AS text_id
MATCH (item:StoreItem)-[:INDEXED_AS]->(memory:Memory {realm: $realm, id: text_id})
  USING INDEX SEEK memory:Memory(realm, id)
WHERE item.namespace STARTS WITH $prefix
  AND (item.expires_at IS NULL OR item.expires_at > $now)
  AND all(marks IN $filter.one_of WHERE any(mark IN marks WHERE mark IN item.marks))
  AND none(mark IN $filter.none_of WHERE mark IN item.marks)
  AND all(ends IN $filter.within
          WHERE any(mark IN item.marks WHERE ends[0] <= mark AND mark < ends[1]))
RETURN text_id, item.id AS id, item.namespace AS namespace, item.key AS key, item.value AS value,
       item.created_at AS created_at, item.updated_at AS updated_at,
       item.ttl_minutes AS ttl_minutes
