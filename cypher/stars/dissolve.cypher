// Ends connections: each is copied to the archive, then deleted.
//
// Parameters: $pairs, $reason, $at, $day, $realm
// Returns: pair_key (lower|upper id)
// Access: write

CYPHER 25
UNWIND $pairs AS pair
MATCH (:Star {realm: $realm, id: pair[0]})
      -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-
      (:Star {realm: $realm, id: pair[1]})
LET pair_key = link.pair_key
CREATE (past:ArchivedConnection)
SET past = properties(link), past.type = type(link),
    past.start = startNode(link).id, past.end = endNode(link).id,
    past.archived_at = $at, past.day = $day, past.reason = $reason,
    past.caption = type(link) + ' (ended)'
CREATE (:ConnectionChange {
  realm: $realm, id: randomUUID(), pair_key: pair_key, at: $at, day: $day, field: 'state',
  `from`: link.state, to: 'DISSOLVED', strength: link.strength, rule: $reason,
  caption: link.state + ' > DISSOLVED'
})
DELETE link
RETURN pair_key
