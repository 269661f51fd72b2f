// Keeps evidence that does not count: observed too late, or a co-mention that waits for another.
//
// Parameters: $rows, $realm
// Returns: id
// Access: write

CYPHER 25
UNWIND $rows AS row
MERGE (e:Evidence {realm: $realm, id: row.id})
SET e += row {.pair_key, .type, .source, .observed_at, .recorded_at, .day, .observed_day, .weight,
              .pending},
    e.counted = false, e.raw_gain = 0.0, e.applied_gain = 0.0, e.caption = row.type
FOREACH (_ IN CASE WHEN row.pending THEN [1] ELSE [] END |
  MERGE (candidate:Candidate {realm: $realm, id: row.pair_key})
  ON CREATE SET candidate.first = row.observed_at
  SET candidate.pair_key = row.pair_key, candidate.last = row.observed_at,
      candidate.lower = row.lower, candidate.upper = row.upper,
      candidate.count = row.mentions, candidate.caption = 'candidate'
)
RETURN row.id AS id
