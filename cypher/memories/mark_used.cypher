// Marks text memories as used: each is at full strength again, once in `use_gap_s` seconds.
//
// The same as a reinforcement by recall, without an entry in the log. A memory that was used a
// short while ago is left alone and not even locked. A duplicate stays in the archive.
//
//   left       = strength * exp(-rate * time since the last interaction)
//   strength   = 1; of an archived one left + revive, if `text_revive_full` is off
//   archive_at = anchor + ln(strength / archive_below) / rate, rounded up to the minute
//
// Parameters: $realm, $now, $settings, $ids, $wall, $active
// Returns: used (number of memories that were strengthened)
// Access: write
// Locks: Memory nodes in the order of the ids, which are sorted

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
  USING INDEX SEEK memory:Memory(realm, id)
WHERE memory.kind = 'text' AND memory.state = 'live'
  AND (memory.used_at IS NULL OR $now < memory.used_at
       OR $now >= memory.used_at + duration({seconds: $settings.use_gap_s}))
// Under the lock the condition is checked again; a forgotten memory has no properties any more.
SET memory.locked_at = $now
WITH memory
WHERE memory.locked_at IS NOT NULL
  AND (memory.used_at IS NULL OR $now < memory.used_at
       OR $now >= memory.used_at + duration({seconds: $settings.use_gap_s}))
// Strength that is left now, and strength after the use.
WITH memory, CASE memory.clock WHEN 'active' THEN $active ELSE $wall END AS moment
WITH memory, CASE WHEN memory.anchor > moment THEN memory.anchor ELSE moment END AS anchor
WITH memory, anchor,
     memory.strength * exp(-(memory.rate / 1e6) * (anchor - memory.anchor)) AS left
WITH memory, anchor, left, left < memory.archive_below - 1e-12 AS archived
WITH memory, anchor, archived, CASE
  WHEN NOT archived OR $settings.text_revive_full OR left + $settings.revive > 1.0 THEN 1.0
  ELSE left + $settings.revive END AS strength
// Counters, times of use, and the time of archiving.
SET memory.strength = strength, memory.anchor = anchor, memory.used_at = $now,
    memory.interaction_count = coalesce(memory.interaction_count, 0) + 1,
    memory.resurrection_count = coalesce(memory.resurrection_count, 0)
      + CASE WHEN archived THEN 1 ELSE 0 END,
    memory.last_interaction = CASE WHEN memory.last_interaction > $now
                                   THEN memory.last_interaction ELSE $now END,
    memory.last_reinforced_hours = CASE WHEN memory.last_reinforced_hours > $active / 3.6e9
                                        THEN memory.last_reinforced_hours
                                        ELSE $active / 3.6e9 END,
    memory.archived_at = null,
    memory.archive_at = CASE WHEN strength <= memory.archive_below THEN anchor
      ELSE toInteger(ceil((anchor + 1e6 / memory.rate
                           * log(strength / memory.archive_below)) / 6e7)) * 60000000 END
REMOVE memory:Archived
RETURN count(*) AS used
