// Stores evidence that does not count: observed too late, or a co-mention that waits for another.
//
// Parameters: $rows, $realm
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $rows AS row
MERGE (piece:Evidence {realm: $realm, id: row.id})
SET piece += row {
      .pair_key, .type, .source, .observed_at, .recorded_at, .day, .observed_day, .weight, .pending
    },
    piece.counted = false, piece.raw_gain = 0.0, piece.applied_gain = 0.0, piece.caption = row.type
FOREACH (_ IN CASE WHEN row.pending THEN [1] ELSE [] END |
  MERGE (candidate:Candidate {realm: $realm, id: row.pair_key})
  ON CREATE SET candidate.first = row.observed_at
  SET candidate.pair_key = row.pair_key, candidate.last = row.observed_at,
      candidate.lower = row.lower, candidate.upper = row.upper,
      candidate.count = row.mentions, candidate.caption = 'candidate'
)
