// Ends connections: everything they knew goes to the archive first.
//
// Parameters: $rows, $realm
// Returns: pair_key
// Access: write

CYPHER 25
UNWIND $rows AS row
MATCH (a:Star {realm: $realm, id: row.lower})
      -[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (b:Star {realm: $realm, id: row.upper})
CREATE (past:ArchivedConnection)
SET past = properties(r), past.type = type(r), past.start = startNode(r).id, past.end = endNode(r).id,
    past.archived_at = row.at, past.day = row.day, past.reason = row.reason,
    past.caption = type(r) + ' (ended)'
CREATE (:ConnectionChange {
  realm: $realm, id: randomUUID(), pair_key: r.pair_key, at: row.at, day: row.day,
  field: 'state', `from`: r.state, to: 'DISSOLVED', strength: r.strength, rule: row.reason,
  caption: r.state + ' > DISSOLVED'
})
DELETE r
RETURN row.pair_key AS pair_key
