// What a memory was made of: every piece of evidence, and its strength right after.
//
// Parameters: $realm, $id, $limit
// Returns: moment, kind, quantity, strength, effect, source
// Access: read

CYPHER 25
MATCH (evidence:Evidence {realm: $realm, memory_id: $id})
WHERE evidence.moment IS NOT NULL
RETURN evidence.moment AS moment, evidence.kind AS kind, evidence.quantity AS quantity,
       coalesce(evidence.strength, 0.0) AS strength, evidence.effect AS effect, evidence.source AS source
ORDER BY moment DESC, evidence.number DESC
LIMIT $limit
