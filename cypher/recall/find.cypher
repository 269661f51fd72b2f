// The memories that answer a question, best first, after one hop from the best candidates.
//
// The hop goes over the names and the rare words that seeds share with others; of a memory's paths
// the best counts. What is no candidate is compared only if it can still come among the first; then
// its parts are worked out as a candidate's are. Faded memories lose a little at the end.
//
// Parameters: $realm, $settings, $vector, $names, $cap, $k, $scale, $only, $seeds, $first,
//   $last, $ahead, $lifted, $fused, $sessions, $low, $high, $bar, $farthest, $also
// Returns: score, cosine, name, lead, mentioned, subject, term, strength, via, memory
// Access: read

CYPHER 25
CALL () {
  UNWIND $ahead AS id
  MATCH (m:Memory {realm: $realm, id: id})
  RETURN m, 0.0 AS mentioned, 0.0 AS subject, 0.0 AS term, null AS via
UNION ALL
  UNWIND $seeds AS seed
  MATCH (:Memory {realm: $realm, id: seed.id})-[:MENTIONS]->(over:Name) WHERE 1 < over.df <= $cap
  WITH over, collect(seed)[0] AS seed
  LET path = (seed.lifted - $last) / ($first - $last + 1e-9) / sqrt(over.df - 1)
  MATCH (over)<-[tie:MENTIONS|ABOUT]-(m:Memory)
  LET said = type(tie) = 'MENTIONS'
  RETURN m, CASE WHEN said THEN path ELSE 0.0 END AS mentioned, CASE WHEN said THEN 0.0 ELSE path END AS subject,
         0.0 AS term, {value: path, seed: seed.id, over: over.key, how: type(tie)} AS via
UNION ALL
  UNWIND $seeds AS seed
  MATCH (:Memory {realm: $realm, id: seed.id})-[:HAS_TERM]->(over:Term) WHERE 1 < over.df <= $cap
  WITH over, collect(seed)[0] AS seed
  LET path = (seed.lifted - $last) / ($first - $last + 1e-9) / sqrt(over.df - 1)
  FILTER $settings.hop_term * path >= $settings.hop_floor
  MATCH (over)<-[:HAS_TERM]-(m:Memory)
  RETURN m, 0.0 AS mentioned, 0.0 AS subject, path AS term,
         {value: path, seed: seed.id, over: over.stem, how: 'HAS_TERM'} AS via
}
WITH m, $settings.hop_mention * max(mentioned) AS mentioned, $settings.hop_subject * max(subject) AS subject,
     $settings.hop_term * max(term) AS term, collect(via) AS via
LET p = m {.id, .session, .subject, .noted, .clock, ends: coalesce(m.archive_at, m.archived_at), .anchor, .rate, .strength}
LET known = $lifted[p.id], hop = mentioned + subject + term, grouped = p.session IS NOT NULL
LET lead = CASE WHEN grouped THEN $settings.session * (coalesce($sessions[p.session], $low) - $low) ELSE 0.0 END
FILTER known + hop >= $bar OR p.id = $also OR hop + lead + $scale * $farthest + $settings.name
       + CASE WHEN grouped THEN $settings.neighbour * ($high - $low) ELSE 0.0 END >= $bar
LET left = p.strength * exp(-p.rate * coll.max([0, $only[p.clock] - p.anchor]) / 1e6)
FILTER p.id = $also OR (left >= $only.minimum AND p.noted AND ($only.archived OR p.ends > $only[p.clock])
  AND ($only.since IS NULL OR m.first_seen >= $only.since) AND ($only.until IS NULL OR m.first_seen <= $only.until)
  AND ($only.marks = [] OR all(mark IN $only.marks WHERE mark IN m.marks)))
LET cosine = CASE WHEN known IS NULL THEN coalesce(2 * vector.similarity.cosine(m.embedding, $vector) - 1, 0.0) END,
    name = CASE WHEN known IS NULL THEN coalesce(coll.max([n IN $names WHERE n.key = p.subject | n.worth]), 0.0) END,
    beside = CASE WHEN known IS NULL AND grouped THEN coll.max([near IN [(m)-[:NEXT]-(n:Memory) | n.id] | $fused[near]]) END
LET score = hop + $settings.strength * (left - 1.0) + coalesce(known, $scale * cosine + $settings.name * name + lead
      + CASE WHEN grouped THEN $settings.neighbour * (coalesce(beside, $low) - $low) ELSE 0.0 END)
ORDER BY score DESC, p.id LIMIT $k
RETURN score, coalesce(cosine, 2 * vector.similarity.cosine(m.embedding, $vector) - 1, 0.0) AS cosine,
       coalesce(name, coll.max([n IN $names WHERE n.key = p.subject | n.worth]), 0.0) AS name,
       lead, mentioned, subject, term, left AS strength,
       COLLECT { UNWIND via AS way WITH way ORDER BY way.value DESC, way.over LIMIT 3 RETURN way } AS via,
       m {.id, .text, .about, .speaker, .session, .tags, at: [m.first_seen.epochSeconds, m.first_seen.microsecond]} AS memory
ORDER BY score DESC, memory.id
