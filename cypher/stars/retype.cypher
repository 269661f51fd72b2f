// Gives connections another type, or turns them round.
//
// The type of a relationship can't change: a new one takes over everything the old one knew.
//
// Parameters: $rows, $realm
// Returns: pair_key, was, type
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (start:Star {realm: $realm, id: row.start})
      -[old:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (end:Star {realm: $realm, id: row.end})
WITH row, start, end, old, properties(old) AS kept, type(old) AS was
DELETE old
CREATE (start)-[r:$(row.type)]->(end)
SET r = kept, r.type_source = row.type_source,
    r.prev_types = CASE WHEN was = row.type THEN kept.prev_types ELSE kept.prev_types + was END,
    r.type_changed_day = CASE WHEN was = row.type THEN kept.type_changed_day ELSE row.day END,
    r.strength = kept.strength * row.factor,
    r.block_active = kept.block_active AND was = row.type
FOREACH (_ IN CASE WHEN was <> row.type THEN [1] ELSE [] END |
  CREATE (:ConnectionChange {
    realm: $realm, id: randomUUID(), pair_key: kept.pair_key, at: row.at, day: row.day,
    field: 'type', `from`: was, to: row.type, strength: kept.strength, rule: row.rule,
    caption: was + ' > ' + row.type
  })
)
RETURN row.pair_key AS pair_key, was, row.type AS type
