// Marks memories that have faded below their end; correctness never depends on it.
//
// The index gives the candidates; each is locked and judged again before it is marked, so the
// job can run twice, from two places, or never.
//
// Parameters: $realm, $now, $settings, $clock, $moment
// Returns: seen, archived
// Access: write

CYPHER 25
MATCH (m:Memory)
WHERE m.realm = $realm AND m.clock = $clock AND m.archive_at < $moment
WITH m LIMIT $settings.archive_batch
WITH m ORDER BY m.id
SET m.locked_at = $now
WITH m, ($moment - m.anchor) / 1e6 AS idle
WITH m, m.strength * CASE
  WHEN m.decay = 'exp' THEN exp(-m.rate * idle)
  WHEN m.rate * idle < 1 THEN 1 - m.rate * idle
  ELSE 0.0 END < m.archive_below - 1e-12 AS faded
FOREACH (due IN CASE WHEN faded AND m.archive_at IS NOT NULL THEN [m] ELSE [] END |
  SET due:Archived, due.archived_at = due.archive_at, due.archive_at = null)
RETURN count(*) AS seen, sum(CASE WHEN faded THEN 1 ELSE 0 END) AS archived
