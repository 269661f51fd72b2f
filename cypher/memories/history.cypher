// Returns the evidence of a memory with the updates and corrections of it, newest first.
//
// Corrections are those of the whole chain: what it superseded, and what superseded it.
//
// Parameters: $realm, $id, $limit
// Returns: moment (microseconds), kind (kind of evidence),
//   quantity (amount in seconds or USD or pieces), strength (right after it),
//   effect (what it did to the memory), source (who observed it),
//   before (what it was before an update as JSON or null),
//   other (memory that superseded it or that it superseded or null), reason (why or null)
// Access: read

CYPHER 25
// Its own log.
CALL () {
  MATCH (evidence:Evidence {realm: $realm, memory_id: $id})
  WHERE evidence.moment IS NOT NULL
  RETURN evidence.moment AS moment, evidence.kind AS kind, evidence.quantity AS quantity,
         coalesce(evidence.strength, 0.0) AS strength, evidence.effect AS effect,
         evidence.source AS source, evidence.number AS number, evidence.before AS before,
         null AS other, null AS reason
UNION ALL
  // Every step of its chain.
  MATCH (memory:Memory {realm: $realm, id: $id})
  MATCH (memory)-[:SUPERSEDES]-*(former:Memory)
  MATCH (former)<-[link:SUPERSEDES]-(successor:Memory)
  WITH DISTINCT memory, former, link, successor
  LET at = link.at
  RETURN at.epochSeconds * 1000000 + at.microsecond AS moment, 'correction' AS kind,
         1.0 AS quantity, memory.strength AS strength,
         CASE WHEN former = memory THEN 'superseded' WHEN successor = memory THEN 'supersedes'
           ELSE former.id + ' superseded' END AS effect,
         'user' AS source, 0 AS number, null AS before,
         CASE WHEN successor = memory THEN former.id ELSE successor.id END AS other,
         link.reason AS reason
}
RETURN moment, kind, quantity, strength, effect, source, before, other, reason
ORDER BY moment DESC, number DESC
LIMIT $limit
