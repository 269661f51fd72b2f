// Reads some text memories that pass a filter, in an order, from a place on.
//
// It goes through the next memories of the order, as many as $window, or through those of $ids. If
// too few of them pass, the caller goes on behind the last one. An order that names every property
// of the index, those that are equal as well, is read from the index without sorting.
//
// Parameters: $realm, $filter, $ids, $order, $earliest, $latest, $after_time, $after_id, $window,
//   $limit, $whole
// Returns: count (number of memories gone through), last (time and id of the last of these),
//   rows (those that pass: time, id, and unless only ids are asked for, memory and strength)
// Access: read

CYPHER 25
// The memories to go through: memories.
CALL () {
  UNWIND $ids AS id
  MATCH (memory:Memory {realm: $realm, id: id})
    USING INDEX SEEK memory:Memory(realm, id)
  RETURN memory
UNION ALL
  WITH datetime($after_time) AS after_time WHERE $ids IS NULL AND $order = 'newest'
  MATCH (memory:Memory)
    USING INDEX SEEK memory:Memory(realm, kind, first_seen, id)
  WHERE memory.realm = $realm AND memory.kind = 'text' AND memory.id IS NOT NULL
    AND datetime($earliest) <= memory.first_seen <= after_time
    AND (memory.first_seen < after_time OR memory.id < $after_id)
  RETURN memory
  ORDER BY memory.realm DESC, memory.kind DESC, memory.first_seen DESC, memory.id DESC
  LIMIT $window
UNION ALL
  WITH datetime($after_time) AS after_time WHERE $ids IS NULL AND $order = 'oldest'
  MATCH (memory:Memory)
    USING INDEX SEEK memory:Memory(realm, kind, first_seen, id)
  WHERE memory.realm = $realm AND memory.kind = 'text' AND memory.id IS NOT NULL
    AND after_time <= memory.first_seen <= datetime($latest)
    AND (memory.first_seen > after_time OR memory.id > $after_id)
  RETURN memory
  ORDER BY memory.realm, memory.kind, memory.first_seen, memory.id
  LIMIT $window
UNION ALL
  WITH $after_id AS after_id WHERE $ids IS NULL AND $order = 'id'
  MATCH (memory:Memory)
    USING INDEX SEEK memory:Memory(realm, id)
  WHERE memory.realm = $realm AND memory.id > after_id
  RETURN memory ORDER BY memory.realm, memory.id LIMIT $window
}
WITH collect(memory) AS memories
// Those that pass, behind the place: rows.
CALL (memories) {
  UNWIND memories AS memory
  WITH memory, datetime($after_time) AS after_time
  FILTER memory.kind = 'text' AND CASE $order
    WHEN 'newest' THEN memory.first_seen < after_time
      OR memory.first_seen = after_time AND memory.id < $after_id
    WHEN 'oldest' THEN memory.first_seen > after_time
      OR memory.first_seen = after_time AND memory.id > $after_id
    ELSE memory.id > $after_id END
  // The conditions of the filter, as in memories/count and recall/find.
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
  ORDER BY CASE WHEN $order = 'newest' THEN memory.first_seen END DESC,
           CASE WHEN $order = 'newest' THEN memory.id END DESC,
           CASE WHEN $order = 'oldest' THEN memory.first_seen END,
           memory.id
  LIMIT $limit
  LET strength = memory.strength
      * exp(-memory.rate * coll.max([0, $filter[memory.clock] - memory.anchor]) / 1e6)
  RETURN collect({
    time: toString(memory.first_seen),
    id: memory.id,
    strength: strength,
    memory: CASE WHEN $whole THEN memory {.*, embedding: null, passage: null, marks: null,
      supersedes: COLLECT { MATCH (memory)-[:SUPERSEDES]->(former:Memory)
                            RETURN former.id ORDER BY former.id },
      updates: COLLECT { MATCH (memory)-[:MAY_UPDATE]->(earlier:Memory)
                         RETURN earlier.id ORDER BY earlier.id },
      updated_by: COLLECT { MATCH (memory)<-[:MAY_UPDATE]-(later:Memory)
                            RETURN later.id ORDER BY later.id }} END
  }) AS rows
}
RETURN size(memories) AS count,
       [toString(memories[-1].first_seen), memories[-1].id] AS last,
       rows
