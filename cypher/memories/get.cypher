// Returns one memory of any kind, as of a time on the clock that it lives on.
//
// Parameters: $realm, $settings, $id, $wall, $active
// Returns: memory (properties of the node, `supersedes`, `updates`, `updated_by` and `dormant`),
//   strength (as of the time)
// Access: read

CYPHER 25
MATCH (memory:Memory {realm: $realm, id: $id})
WITH memory, CASE memory.clock WHEN 'active' THEN $active ELSE $wall END AS moment
// Strength and time of the last interaction: of a level before its newest evidence, from the log.
CALL (memory, moment) {
  WITH memory, moment WHERE memory.anchor <= moment OR memory.kind = 'text'
  RETURN memory.strength AS strength, memory.anchor AS anchor
UNION ALL
  WITH memory, moment WHERE memory.anchor > moment AND memory.kind <> 'text'
  OPTIONAL MATCH (evidence:Evidence {realm: $realm, memory_id: memory.id})
  WHERE evidence.moment <= moment AND evidence.strength IS NOT NULL
  RETURN coalesce(evidence.strength, 0.0) AS strength, coalesce(evidence.moment, moment) AS anchor
  ORDER BY anchor DESC, evidence.number DESC LIMIT 1
}
// Decay since then.
WITH memory, strength, CASE WHEN moment > anchor THEN moment - anchor ELSE 0 END / 1e6 AS idle
WITH memory, idle, strength * CASE
  WHEN memory.decay = 'exp' THEN exp(-memory.rate * idle)
  WHEN memory.rate * idle < 1 THEN 1 - memory.rate * idle
  ELSE 0.0 END AS strength
RETURN memory {.*, embedding: null,
  supersedes: COLLECT { MATCH (memory)-[:SUPERSEDES]->(former:Memory)
                        RETURN former.id ORDER BY former.id },
  updates: COLLECT { MATCH (memory)-[:MAY_UPDATE]->(earlier:Memory)
                     RETURN earlier.id ORDER BY earlier.id },
  updated_by: COLLECT { MATCH (memory)<-[:MAY_UPDATE]-(later:Memory)
                        RETURN later.id ORDER BY later.id },
  dormant: strength < $settings.dormant_below OR idle > $settings.dormant_s} AS memory, strength
