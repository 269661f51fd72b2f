// Counts the shares, histograms and quantiles of sessions.
//
// Quantiles: minimum, p10, p50, p90 and maximum, linear between neighbours. `IS NOT NULL` lets the
// server use the index that covers the property.
//
// Parameters: $realm, $session_ids
// Returns: intents (strength, type, claimed, reason, actor and number of intents that are alike),
//   distances (pairs of a distance and a number of links), line_gaps (the same by line gap),
//   scores (quantiles of all links), by_distance (pairs of a distance and quantiles),
//   fanouts (pairs of a number of intents and the consequences that have as many),
//   contested (lines that several intents wanted most), most_bidders (most of these intents),
//   dropped (JSON, of each session: counts of intents that are not stored)
// Access: read

CYPHER 25
// 1. intents: groups of intents that are alike
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (intent:Intent {realm: $realm, session_id: session_id})
  WHERE intent.anchor_index IS NOT NULL
  WITH intent.strength AS strength, intent.type AS type, intent.claimed AS claimed,
       intent.claim_reason AS reason, intent.actor AS actor, count(*) AS number
  RETURN collect({
           strength: strength, type: type, claimed: claimed, reason: reason, actor: actor,
           intents: number
         }) AS intents
}
// 2. distances: histogram of links by distance
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (intent:Intent {realm: $realm, session_id: session_id})
  WHERE intent.anchor_index IS NOT NULL
  MATCH (intent)-[causes:CAUSES]->()
  WITH causes.distance AS distance, count(*) AS number ORDER BY distance
  RETURN collect([distance, number]) AS distances
}
// 3. line_gaps: histogram of links by line gap
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (intent:Intent {realm: $realm, session_id: session_id})
  WHERE intent.anchor_index IS NOT NULL
  MATCH (intent)-[causes:CAUSES]->()
  WITH causes.line_gap AS line_gap, count(*) AS number ORDER BY line_gap
  RETURN collect([line_gap, number]) AS line_gaps
}
// 4. scores: quantiles of all links
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (intent:Intent {realm: $realm, session_id: session_id})
  WHERE intent.anchor_index IS NOT NULL
  MATCH (intent)-[causes:CAUSES]->()
  RETURN {minimum: min(causes.score), p10: percentileCont(causes.score, 0.1),
          p50: percentileCont(causes.score, 0.5), p90: percentileCont(causes.score, 0.9),
          maximum: max(causes.score)} AS scores
}
// 5. by_distance: quantiles of the links at each distance
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (intent:Intent {realm: $realm, session_id: session_id})
  WHERE intent.anchor_index IS NOT NULL
  MATCH (intent)-[causes:CAUSES]->()
  WITH causes.distance AS distance,
       {minimum: min(causes.score), p10: percentileCont(causes.score, 0.1),
        p50: percentileCont(causes.score, 0.5), p90: percentileCont(causes.score, 0.9),
        maximum: max(causes.score)} AS scores
  ORDER BY distance
  RETURN collect([distance, scores]) AS by_distance
}
// 6. fanouts: histogram of consequences by the intents that share them
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (consequence:Consequence {realm: $realm, session_id: session_id})
  WHERE consequence.anchor_index IS NOT NULL
  WITH COUNT { (consequence)<-[:CAUSES]-() } AS fanout, count(*) AS number ORDER BY fanout
  RETURN collect([fanout, number]) AS fanouts
}
// 7. contention: lines that are the top choice of several intents
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (intent:Intent {realm: $realm, session_id: session_id})
  WHERE intent.anchor_index IS NOT NULL
  WITH session_id, intent.top_choice_index AS line, count(*) AS bidders WHERE line IS NOT NULL
  RETURN sum(CASE WHEN bidders > 1 THEN 1 ELSE 0 END) AS contested, max(bidders) AS most_bidders
}
// 8. dropped: counts of intents that were left out
CALL () {
  UNWIND $session_ids AS session_id
  MATCH (session:Session {realm: $realm, id: session_id})
  RETURN collect(session.dropped_intents) AS dropped
}
RETURN intents, distances, line_gaps, scores, by_distance, fanouts, contested, most_bidders, dropped
