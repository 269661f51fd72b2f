// Gives connections another type, or turns them round.
//
// The type of a relationship can't change: a new one takes over all properties of the old one.
//
// Parameters: $rows, $at, $day, $realm
// Returns: pair_key (lower|upper id), before (type before)
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (start:Star {realm: $realm, id: row.start})
      -[old:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (end:Star {realm: $realm, id: row.end})
WITH row, start, end, old, properties(old) AS facts, type(old) AS before
DELETE old
CREATE (start)-[link:$(row.type)]->(end)
SET link = facts, link.type_source = row.type_source,
    link.previous_types =
      facts.previous_types + CASE WHEN before = row.type THEN [] ELSE [before] END,
    link.type_changed_day =
      CASE WHEN before = row.type THEN facts.type_changed_day ELSE $day END,
    link.strength = facts.strength * row.strength_factor,
    link.block_active = facts.block_active AND before = row.type
FOREACH (_ IN CASE WHEN before <> row.type THEN [1] ELSE [] END |
  CREATE (:ConnectionChange {
    realm: $realm, id: randomUUID(), pair_key: facts.pair_key, at: $at, day: $day, field: 'type',
    `from`: before, to: row.type, strength: facts.strength, rule: row.rule,
    caption: before + ' > ' + row.type
  })
)
RETURN row.pair_key AS pair_key, before
