// Says which blocks hold, once their strengths and states of the day are known (S-27, S-28).
//
// Parameters: $day, $settings, $realm
// Returns: turned
// Access: batch

CYPHER 25
MATCH (a:Star) WHERE a.realm = $realm AND a.bucket >= 0
CALL (a) {
  MATCH (a)-[r:BLOCKS]->(:Star)
  LET holds = r.state <> 'DORMANT' AND a.state <> 'DORMANT'
        AND r.strength >= $settings.block_release - 1e-9
        AND (coalesce(r.block_active, false) OR r.state_rank >= 3)
  WITH r, holds WHERE holds <> coalesce(r.block_active, false)
  SET r.block_active = holds, r.blocked_since = CASE WHEN holds THEN $day END
} IN $settings.close_threads CONCURRENT TRANSACTIONS OF $settings.close_rows ROWS
ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN count(*) AS turned
