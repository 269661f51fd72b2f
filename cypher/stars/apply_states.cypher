// Gives stars the state that waits for them, and puts connections of sleeping stars to sleep.
//
// The last step of a close but predictions. A star that leaves DARK loses its flag and counts.
//
// Parameters: $ids, $day, $at, $realm
// Returns: dormant (connections that fell asleep), blocked (stars that these had blocked)
// Access: write

CYPHER 25
// State and label of each star.
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
    star.confrontation_counts =
      CASE WHEN left_dark THEN [0, 0, 0] ELSE star.confrontation_counts END
// Connections of stars that fall asleep, and the stars that these had blocked.
WITH star, after
CALL (star, after) {
  MATCH (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
  WHERE after = 'DORMANT' AND link.state <> 'DORMANT'
  CREATE (:ConnectionChange {
    realm: $realm, id: randomUUID(), pair_key: link.pair_key, at: $at, day: $day, field: 'state',
    `from`: link.state, to: 'DORMANT', strength: link.strength, rule: star.id + ' fell asleep',
    caption: link.state + ' > DORMANT'
  })
  SET link.state = 'DORMANT', link.state_rank = 0, link.dormant_since = $day,
      link.dormant_reason = 'STAR', link.block_active = false, link.blocked_since = null,
      link.caption = toString(round(link.strength, 2)) + ' DORMANT'
  RETURN count(link) AS dormant,
         collect(CASE type(link) WHEN 'BLOCKS' THEN endNode(link).id END) AS ends
}
RETURN sum(dormant) AS dormant, coll.flatten(collect(ends)) AS blocked
