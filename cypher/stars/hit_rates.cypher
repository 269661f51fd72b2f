// How often each cause's predictions came true.
//
// Parameters: $realm
// Returns: cause, effect, verified, expired, open, hit_rate
// Access: read

CYPHER 25
MATCH (p:Prediction) WHERE p.realm = $realm AND p.status IN ['OPEN', 'VERIFIED', 'EXPIRED']
WITH p.cause AS cause, p.effect AS effect,
     sum(CASE p.status WHEN 'VERIFIED' THEN 1 ELSE 0 END) AS verified,
     sum(CASE p.status WHEN 'EXPIRED' THEN 1 ELSE 0 END) AS expired,
     sum(CASE p.status WHEN 'OPEN' THEN 1 ELSE 0 END) AS open
RETURN cause, effect, verified, expired, open,
       CASE WHEN verified + expired > 0 THEN toFloat(verified) / (verified + expired) END AS hit_rate
ORDER BY hit_rate DESC, cause, effect
