// Notes that text memories were used: each is at full strength again, once in so many seconds.
//
// The same as a reinforcement by recall, without an entry in the log. What was used a short while
// ago is left alone and not even locked. What is archived as a duplicate stays there.
//
// Parameters: $realm, $now, $settings, $ids, $wall, $active
// Returns: used
// Access: write

CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {realm: $realm, id: id})
  USING INDEX SEEK m:Memory(realm, id)
WHERE m.kind = 'text' AND m.state = 'live'
  AND (m.used_at IS NULL OR $now < m.used_at
       OR $now >= m.used_at + duration({seconds: $settings.use_gap_s}))
// The ids come in order, so two writers take turns. Under the lock the question is put again.
SET m.locked_at = $now
WITH m
WHERE m.locked_at IS NOT NULL  // what was forgotten meanwhile has no properties any more
  AND (m.used_at IS NULL OR $now < m.used_at
       OR $now >= m.used_at + duration({seconds: $settings.use_gap_s}))
// What is left now, and what use makes of it.
WITH m, CASE m.clock WHEN 'active' THEN $active ELSE $wall END AS moment
WITH m, CASE WHEN m.anchor > moment THEN m.anchor ELSE moment END AS anchor
WITH m, anchor, m.strength * exp(-(m.rate / 1e6) * (anchor - m.anchor)) AS left
WITH m, anchor, left, left < m.archive_below - 1e-12 AS archived
WITH m, anchor, archived, CASE
  WHEN NOT archived OR $settings.text_revive_full OR left + $settings.revive > 1.0 THEN 1.0
  ELSE left + $settings.revive END AS strength
SET m.strength = strength, m.anchor = anchor, m.used_at = $now,
    m.interaction_count = coalesce(m.interaction_count, 0) + 1,
    m.resurrection_count = coalesce(m.resurrection_count, 0) + CASE WHEN archived THEN 1 ELSE 0 END,
    m.last_interaction = CASE WHEN m.last_interaction > $now THEN m.last_interaction ELSE $now END,
    m.last_reinforced_hours = CASE WHEN m.last_reinforced_hours > $active / 3.6e9
                                   THEN m.last_reinforced_hours ELSE $active / 3.6e9 END,
    m.archived_at = null,
    m.archive_at = CASE WHEN strength <= m.archive_below THEN anchor
      ELSE toInteger(ceil((anchor + 1e6 / m.rate * log(strength / m.archive_below)) / 6e7))
           * 60000000 END
REMOVE m:Archived
RETURN count(*) AS used
