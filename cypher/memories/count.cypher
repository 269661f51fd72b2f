// Counts the text memories that pass a filter, all of them or among some.
//
// Parameters: $realm, $filter, $ids, $earliest, $latest
// Returns: count (number of those that pass)
// Access: read

CYPHER 25
// The memories to test, by their ids or all of these times: memory.
CALL () {
  UNWIND $ids AS id
  MATCH (memory:Memory {realm: $realm, id: id})
    USING INDEX SEEK memory:Memory(realm, id)
  WHERE memory.kind = 'text'
  RETURN memory
UNION ALL
  WITH datetime($earliest) AS earliest WHERE $ids IS NULL
  MATCH (memory:Memory)
    USING INDEX SEEK memory:Memory(realm, kind, first_seen, id)
  WHERE memory.realm = $realm AND memory.kind = 'text' AND memory.id IS NOT NULL
    AND earliest <= memory.first_seen <= datetime($latest)
  RETURN memory
}
WITH memory
// Those that pass, as in memories/list and recall/find.
FILTER CASE WHEN NOT $filter.narrows
  THEN true ELSE ($filter.since IS NULL OR memory.first_seen >= $filter.since)
  AND ($filter.until IS NULL OR memory.first_seen <= $filter.until)
  AND ($filter.ids IS NULL OR memory.id IN $filter.ids)
  AND all(marks IN $filter.one_of WHERE any(mark IN marks WHERE mark IN memory.marks))
  AND none(mark IN $filter.none_of WHERE mark IN memory.marks)
  AND all(span IN $filter.within WHERE any(mark IN memory.marks WHERE span[0] <= mark < span[1]))
  AND $filter.minimum_strength <= memory.strength
    * exp(-memory.rate * coll.max([0, $filter[memory.clock] - memory.anchor]) / 1e6)
    <= $filter.maximum_strength
  AND ($filter.states IS NULL OR any(state IN $filter.states WHERE CASE state
    WHEN 'duplicate' THEN memory.state = 'duplicate'
    WHEN 'superseded' THEN memory.superseded_by IS NOT NULL
    WHEN 'waiting' THEN memory.waiting IS NOT NULL
    ELSE memory.state <> 'duplicate' AND (state = 'active') =
      (coalesce(memory.archive_at, memory.archived_at) > $filter[memory.clock]) END)) END
RETURN count(*) AS count
