// Creates connections, before their first evidence is counted.
//
// Parameters: $rows, $realm
// Returns: nothing
// Access: write

CYPHER 25
// The connection, with the measurements of its type.
UNWIND $rows AS row
MATCH (start:Star {realm: $realm, id: row.start}), (end:Star {realm: $realm, id: row.end})
CREATE (start)-[link:$(row.type)]->(end)
SET link = {
  realm: $realm, id: row.id, pair_key: row.pair_key, constellation_id: start.constellation_id,
  strength: row.strength, confidence: 0.0, evidence_count: 0, evidence_eff: 0.0,
  evidence_days: [], state: 'NASCENT', state_rank: 1, engaged_state: 'NASCENT',
  gains_day: null, gains_today: [], strength_gained_today: 0.0,
  created_at: row.at, last_engaged: row.at, engaged_day: row.day, decayed_day: row.decayed_day,
  type_source: row.type_source, type_evaluated_day: row.day, evidence_at_last_eval: 1,
  type_changed_day: null, previous_types: row.previous_types, type_hint: row.type_hint,
  computed_type: row.computed_type, corr: row.corr, mean_lag_h: row.mean_lag_h,
  causation_confidence: row.causation_confidence, causation_sign: row.causation_sign,
  block_active: false, weekly_strengths: []
}
// The candidate, whose co-mentions are counted now.
WITH row
OPTIONAL MATCH (candidate:Candidate {realm: $realm, id: row.pair_key})
DELETE candidate
