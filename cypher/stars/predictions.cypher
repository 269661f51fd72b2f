// Predictions, latest first: all, of one status, or about one star.
//
// Parameters: $status, $star, $limit, $realm
// Returns: id, cause, effect, sign, status, confidence, issued_at, expected_at, expires_at
// Access: read

CYPHER 25
MATCH (p:Prediction)
WHERE p.realm = $realm AND p.status IN CASE
    WHEN $status IS NULL THEN ['OPEN', 'VERIFIED', 'EXPIRED'] ELSE [$status] END
  AND ($star IS NULL OR $star IN [p.cause, p.effect])
RETURN p.id AS id, p.cause AS cause, p.effect AS effect, p.sign AS sign, p.status AS status,
       p.confidence AS confidence, p.issued_at AS issued_at, p.expected_at AS expected_at,
       p.expires_at AS expires_at
ORDER BY issued_at DESC, id LIMIT $limit
