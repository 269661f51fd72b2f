// The shares, histograms and quantiles of sessions, counted in the graph.
//
// Parameters: $realm, $session_ids
// Returns: intents, distances, line_gaps, scores, by_distance, fanouts, contested, most_bidders
// Access: read

CYPHER 25
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (i:Intent {realm: $realm, session_id: session_id}) WHERE i.anchor_index IS NOT NULL
  WITH i.strength AS strength, i.type AS type, i.claimed AS claimed, i.claim_reason AS reason,
       count(*) AS count
  RETURN collect({strength: strength, type: type, claimed: claimed, reason: reason, count: count})
         AS intents
}
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (i:Intent {realm: $realm, session_id: session_id}) WHERE i.anchor_index IS NOT NULL
  MATCH (i)-[r:CAUSES]->()
  WITH r.distance AS distance, count(*) AS count ORDER BY distance
  RETURN collect([distance, count]) AS distances
}
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (i:Intent {realm: $realm, session_id: session_id}) WHERE i.anchor_index IS NOT NULL
  MATCH (i)-[r:CAUSES]->()
  WITH r.line_gap AS line_gap, count(*) AS count ORDER BY line_gap
  RETURN collect([line_gap, count]) AS line_gaps
}
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (i:Intent {realm: $realm, session_id: session_id}) WHERE i.anchor_index IS NOT NULL
  MATCH (i)-[r:CAUSES]->()
  RETURN {minimum: min(r.score), p10: percentileCont(r.score, 0.1),
          p50: percentileCont(r.score, 0.5), p90: percentileCont(r.score, 0.9),
          maximum: max(r.score)} AS scores
}
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (i:Intent {realm: $realm, session_id: session_id}) WHERE i.anchor_index IS NOT NULL
  MATCH (i)-[r:CAUSES]->()
  WITH r.distance AS distance,
       {minimum: min(r.score), p10: percentileCont(r.score, 0.1),
        p50: percentileCont(r.score, 0.5), p90: percentileCont(r.score, 0.9),
        maximum: max(r.score)} AS scores
  ORDER BY distance
  RETURN collect([distance, scores]) AS by_distance
}
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (c:Consequence {realm: $realm, session_id: session_id}) WHERE c.anchor_index IS NOT NULL
  WITH COUNT { (c)<-[:CAUSES]-() } AS fanout, count(*) AS count ORDER BY fanout
  RETURN collect([fanout, count]) AS fanouts
}
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (i:Intent {realm: $realm, session_id: session_id}) WHERE i.anchor_index IS NOT NULL
  WITH session_id, i.top_choice_index AS line, count(*) AS bidders WHERE line IS NOT NULL
  RETURN sum(CASE WHEN bidders > 1 THEN 1 ELSE 0 END) AS contested, max(bidders) AS most_bidders
}
RETURN intents, distances, line_gaps, scores, by_distance, fanouts, contested, most_bidders
