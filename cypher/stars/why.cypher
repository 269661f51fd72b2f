// Returns every piece of evidence for a pair, with its gain and its rank among those of its day.
//
// Parameters: $pair_key, $realm
// Returns: id (evidence id), type (type of evidence), source (source), observed_at (time of the
//   observation), recorded_at (time of the recording), day (epoch day of the ledger), counted (it
//   counted), fresh (first in seven days), raw_gain (gain before ranks and caps), applied_gain
//   (strength added), capped (the daily cap was hit), rank (rank among the gains of its day),
//   origins (memories and intents that it was drawn from, each with kind, id, session, time, text)
// Access: read

CYPHER 25
MATCH (piece:Evidence)
WHERE piece.realm = $realm AND piece.pair_key = $pair_key AND piece.observed_at IS NOT NULL
RETURN piece.id AS id, piece.type AS type, piece.source AS source,
       piece.observed_at AS observed_at, piece.recorded_at AS recorded_at, piece.day AS day,
       piece.counted AS counted, coalesce(piece.fresh, false) AS fresh, piece.raw_gain AS raw_gain,
       piece.applied_gain AS applied_gain, coalesce(piece.capped, false) AS capped,
       CASE WHEN piece.counted THEN 1 + COUNT {
         MATCH (other:Evidence)
         WHERE other.realm = $realm AND other.pair_key = $pair_key
           AND other.observed_at IS NOT NULL AND other.counted AND other.day = piece.day
           AND (other.raw_gain > piece.raw_gain
             OR (other.raw_gain = piece.raw_gain AND other.id < piece.id))
       } END AS rank,
       COLLECT {
         MATCH (piece)-[:DRAWN_FROM]->(origin:Memory|Intent)
         WITH origin ORDER BY origin.first_seen, origin.anchor_index, origin.id
         RETURN {
           kind: CASE WHEN origin:Memory THEN 'memory' ELSE 'intent' END, id: origin.id,
           session: coalesce(origin.session, origin.session_id), line: origin.anchor_index,
           at: origin.first_seen, text: origin.text
         }
       } AS origins
ORDER BY recorded_at, id
