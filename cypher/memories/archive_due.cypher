// Marks memories that have faded below their end; no read depends on it.
//
// The index gives the candidates. Each is locked and judged again before it is marked, so the job
// can run twice, from two places, or never.
//
// Parameters: $realm, $now, $settings, $clock, $moment
// Returns: candidates (number of memories), archived (number of memories that were marked)
// Access: write
// Locks: Memory nodes by id

CYPHER 25
MATCH (memory:Memory)
WHERE memory.realm = $realm AND memory.clock = $clock AND memory.archive_at < $moment
WITH memory LIMIT $settings.archive_batch
WITH memory ORDER BY memory.id
SET memory.locked_at = $now
WITH memory, ($moment - memory.anchor) / 1e6 AS idle
WITH memory, memory.strength * CASE
  WHEN memory.decay = 'exp' THEN exp(-memory.rate * idle)
  WHEN memory.rate * idle < 1 THEN 1 - memory.rate * idle
  ELSE 0.0 END < memory.archive_below - 1e-12 AS is_due
FOREACH (_ IN CASE WHEN is_due AND memory.archive_at IS NOT NULL THEN [1] ELSE [] END |
  SET memory:Archived, memory.archived_at = memory.archive_at, memory.archive_at = null)
RETURN count(*) AS candidates, sum(CASE WHEN is_due THEN 1 ELSE 0 END) AS archived
