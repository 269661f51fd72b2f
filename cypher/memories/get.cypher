// One memory of any kind, as strong as it is at a time on the clock that it lives on.
//
// Parameters: $realm, $settings, $id, $wall, $active
// Returns: memory, strength
// Access: read

CYPHER 25
MATCH (m:Memory {realm: $realm, id: $id})
WITH m, CASE m.clock WHEN 'active' THEN $active ELSE $wall END AS moment
CALL (m, moment) {
  WITH m, moment WHERE m.anchor <= moment OR m.kind = 'text'
  RETURN m.strength AS strength, m.anchor AS anchor
UNION ALL
  WITH m, moment WHERE m.anchor > moment AND m.kind <> 'text'
  OPTIONAL MATCH (evidence:Evidence {realm: $realm, memory_id: m.id})
  WHERE evidence.moment <= moment AND evidence.strength IS NOT NULL
  RETURN coalesce(evidence.strength, 0.0) AS strength, coalesce(evidence.moment, moment) AS anchor
  ORDER BY anchor DESC, evidence.number DESC LIMIT 1
}
WITH m, strength, CASE WHEN moment > anchor THEN moment - anchor ELSE 0 END / 1e6 AS idle
WITH m, idle, strength * CASE
  WHEN m.decay = 'exp' THEN exp(-m.rate * idle)
  WHEN m.rate * idle < 1 THEN 1 - m.rate * idle
  ELSE 0.0 END AS strength
RETURN m {.*, embedding: null,
          updates: COLLECT { MATCH (m)-[:MAY_UPDATE]->(earlier:Memory) RETURN earlier.id ORDER BY earlier.id },
          updated_by: COLLECT { MATCH (m)<-[:MAY_UPDATE]-(later:Memory) RETURN later.id ORDER BY later.id },
          dormant: strength < $settings.dormant_below OR idle > $settings.dormant_s} AS memory, strength
