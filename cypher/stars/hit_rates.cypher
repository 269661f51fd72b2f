// Counts the predictions of each causal connection, and the share that came true.
//
// Parameters: $realm
// Returns: cause (star id), effect (star id), verified (predictions that came true), expired
//   (predictions that did not), open (predictions that may still), hit_rate (share of verified
//   ones, or null)
// Access: read

CYPHER 25
MATCH (prediction:Prediction)
WHERE prediction.realm = $realm AND prediction.status IN ['OPEN', 'VERIFIED', 'EXPIRED']
WITH prediction.cause AS cause, prediction.effect AS effect,
     sum(CASE prediction.status WHEN 'VERIFIED' THEN 1 ELSE 0 END) AS verified,
     sum(CASE prediction.status WHEN 'EXPIRED' THEN 1 ELSE 0 END) AS expired,
     sum(CASE prediction.status WHEN 'OPEN' THEN 1 ELSE 0 END) AS open
RETURN cause, effect, verified, expired, open,
       CASE WHEN verified + expired > 0
         THEN toFloat(verified) / (verified + expired) END AS hit_rate
ORDER BY hit_rate DESC, cause, effect
