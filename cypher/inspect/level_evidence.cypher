// What a price level was made of: every piece of evidence, and its strength after it.
//
// Parameters: $realm, $level_id
// Returns: at, kind, quantity, effect, strength, source
// Access: read

:param realm => 'demo';
:param level_id => COLLECT { MATCH (m0:MarketLevel {realm: 'demo'}) RETURN m0.id ORDER BY m0.interaction_count DESC, m0.id LIMIT 1 }[0];

CYPHER 25
MATCH (e:Evidence {realm: $realm, memory_id: $level_id})
WHERE e.moment IS NOT NULL
RETURN datetime({epochMillis: e.moment / 1000}) AS at, e.kind AS kind, e.quantity AS quantity,
       e.effect AS effect, round(e.strength, 4) AS strength, e.source AS source
ORDER BY at
