// Returns predictions, latest first, of one status or about one star, or all.
//
// Parameters: $status, $star, $limit, $realm
// Returns: id (prediction id), cause (star id), effect (star id), sign (1 rises, -1 falls), status
//   (OPEN, VERIFIED or EXPIRED), confidence (confidence, 0 to 1), issued_at (time of the event),
//   expected_at (time of the effect), expires_at (end of the wait)
// Access: read

CYPHER 25
MATCH (prediction:Prediction)
WHERE prediction.realm = $realm AND prediction.status IN CASE
    WHEN $status IS NULL THEN ['OPEN', 'VERIFIED', 'EXPIRED'] ELSE [$status] END
  AND ($star IS NULL OR $star IN [prediction.cause, prediction.effect])
RETURN prediction.id AS id, prediction.cause AS cause, prediction.effect AS effect,
       prediction.sign AS sign, prediction.status AS status, prediction.confidence AS confidence,
       prediction.issued_at AS issued_at, prediction.expected_at AS expected_at,
       prediction.expires_at AS expires_at
ORDER BY issued_at DESC, id LIMIT $limit
