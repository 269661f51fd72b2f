// The evidence of a price level, and its strength after each piece.
//
// Parameters: $realm, $level_id
// Returns: at (time of the evidence), kind (of the evidence),
//   quantity (amount in seconds or USD or pieces), effect (on the strength),
//   strength (of the level after it), source (who observed it)
// Access: read

:param realm => 'demo';
:param level_id => COLLECT { MATCH (m0:MarketLevel {realm: 'demo'}) RETURN m0.id ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0];

CYPHER 25
MATCH (evidence:Evidence {realm: $realm, memory_id: $level_id})
WHERE evidence.moment IS NOT NULL
RETURN datetime({epochMillis: evidence.moment / 1000}) AS at, evidence.kind AS kind,
       evidence.quantity AS quantity, evidence.effect AS effect,
       round(evidence.strength, 4) AS strength, evidence.source AS source
ORDER BY at
