// Updates the blocks that hold, after the strengths and states of the day (S-27, S-28).
//
// Formula: block_active = from WEAK on, and until the strength falls below block_release (D-44);
// recompute_connections has the same one.
//
// Parameters: $day, $settings, $realm
// Returns: nothing
// Access: batch

CYPHER 25
MATCH (blocker:Star) WHERE blocker.realm = $realm AND blocker.bucket >= 0
CALL (blocker) {
  MATCH (blocker)-[link:BLOCKS]->(:Star)
  LET holds = link.state <> 'DORMANT' AND blocker.state <> 'DORMANT'
        AND link.strength + 1e-9 >= $settings.block_release
        AND (coalesce(link.block_active, false) OR link.state_rank >= 3)
  WITH link, holds WHERE holds <> coalesce(link.block_active, false)
  SET link.block_active = holds, link.blocked_since = CASE WHEN holds THEN $day END
} IN $settings.close_threads CONCURRENT TRANSACTIONS OF $settings.close_rows ROWS
ON ERROR RETRY FOR 30 SECONDS THEN FAIL
