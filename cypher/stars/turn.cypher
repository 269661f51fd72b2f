// Last step of a close: stars take their new states; those that fall asleep take their connections.
//
// Answers with the number of connections that fell asleep, and the stars that they had blocked.
//
// Parameters: $ids, $day, $at, $realm
// Returns: dormant, blocked
// Access: write

CYPHER 25
UNWIND $ids AS id
MATCH (star:Star {realm: $realm, id: id}) USING INDEX star:Star(realm, id)
WHERE star.next_state IS NOT NULL
LET before = star.state, after = star.next_state
LET left_dark = before = 'DARK' AND after <> 'DARK'
REMOVE star:Nascent:Dark:Flickering:Dim:Bright:Dormant
SET star.state = after, star.next_state = null,
    star:$(left(after, 1) + toLower(substring(after, 1))),
    star.is_anti_pattern = star.is_anti_pattern AND NOT left_dark,
    star.contradictions = CASE WHEN left_dark THEN 0 ELSE star.contradictions END,
    star.confrontation = CASE WHEN left_dark THEN 0.0 ELSE star.confrontation END,
    star.confronted = CASE WHEN left_dark THEN [0, 0, 0] ELSE star.confronted END
WITH star, after
CALL (star, after) {
  MATCH (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
  WHERE after = 'DORMANT' AND r.state <> 'DORMANT'
  CREATE (:ConnectionChange {
    realm: $realm, id: randomUUID(), pair_key: r.pair_key, at: $at, day: $day, field: 'state',
    `from`: r.state, to: 'DORMANT', strength: r.strength, rule: star.id + ' fell asleep',
    caption: r.state + ' > DORMANT'
  })
  SET r.state = 'DORMANT', r.state_rank = 0, r.dormant_since = $day, r.dormant_reason = 'STAR',
      r.block_active = false, r.blocked_since = null,
      r.caption = toString(round(r.strength, 2)) + ' DORMANT'
  RETURN count(r) AS slept, collect(CASE type(r) WHEN 'BLOCKS' THEN endNode(r).id END) AS ends
}
RETURN sum(slept) AS dormant, coll.flatten(collect(ends)) AS blocked
