// The memories that answer a question, best first.
//
// Candidates come by vector, by words, by name, and from next to all these. Their fused score is
// lifted by what was said beside them and by the best of their session, both measured from the lowest
// candidate; without sessions nothing is lifted. From the best of them one hop goes over the names and
// rare words they share with others; of a memory's paths the best counts. What is no candidate is
// compared only if it can still come among the first. Faded memories lose a little at the end.
// Archived candidates lift nobody and are no seeds. Those that score like a hit are returned apart.
// A duplicate has no notes: it comes by its vector, and only if archived ones are asked for.
//
// One statement and one row, since what passes between two would take longer than all of this to
// work out. vector_distance takes a seventh of the time of vector.similarity.cosine.
//
// Parameters: $realm, $settings, $vector, $names, $worded, $matched, $pool, $cap, $k, $scale,
//   $only, $also
// Returns: candidates, hits, faded
// Access: read

CYPHER 25
// 1. Candidates: near the question, with its words, about its names, and what stands next to these.
CALL () {
  MATCH (m:Memory)
    SEARCH m IN (VECTOR INDEX knowledge_embedding FOR $vector WHERE m.realm = $realm AND m.kind = 'text' LIMIT $pool)
    SCORE AS similarity
  RETURN m, 2 * similarity - 1 AS cosine, 0.0 AS words
UNION ALL
  UNWIND range(0, size($worded) - 1) AS place
  MATCH (m:Memory {realm: $realm, id: $worded[place]})
    USING INDEX SEEK m:Memory(realm, id)
  RETURN m, null AS cosine, $matched[place] AS words
UNION ALL
  UNWIND keys($names) AS key
  WITH key ORDER BY $names[key] DESC, key
  MATCH (name:Name {realm: $realm, key: key})<-[:ABOUT]-(m:Memory)
    USING INDEX SEEK name:Name(realm, key)
  RETURN m, null AS cosine, 0.0 AS words LIMIT $pool
}
WITH m, max(cosine) AS cosine, max(words) AS words
WITH collect({m: m, cosine: cosine, words: words}) AS found, max(words) AS most, min(cosine) AS farthest
CALL (found) {
  UNWIND found AS row
  RETURN row.m AS m, row.cosine AS cosine, row.words AS words
UNION ALL
  UNWIND found AS row
  WITH row.m AS near WHERE near.session IS NOT NULL
  MATCH (near)-[:NEXT]-(m:Memory)
  RETURN DISTINCT m, null AS cosine, 0.0 AS words
}

// 2. The fused score of each that may answer at all.
WITH most, farthest, m, max(cosine) AS cosine, max(words) AS words,
     m {.id, .session, .subject, .noted, .state, .clock, ends: coalesce(m.archive_at, m.archived_at)} AS p
WHERE (p.noted OR $only.archived AND p.state = 'duplicate')
  AND ($only.archived OR p.ends > $only[p.clock] OR coalesce(p.id <> $also, true))
  AND ($only.since IS NULL OR m.first_seen >= $only.since)
  AND ($only.until IS NULL OR m.first_seen <= $only.until)
  AND ($only.marks = [] OR all(mark IN $only.marks WHERE mark IN m.marks))
WITH farthest, m, p, words / CASE WHEN most > 0 THEN most ELSE 1.0 END AS words,
     coalesce(cosine, 1 - vector_distance(vector(m.embedding, vector_dimension_count($vector), FLOAT32), $vector, COSINE), 0.0) AS cosine,
     coalesce($names[p.subject], 0.0) AS name
WITH farthest, {m: m, id: p.id, session: p.session, cosine: cosine, words: words, name: name,
     archived: NOT ($only.archived OR p.ends > $only[p.clock]),
     fused: $scale * cosine + $settings.words * words + $settings.name * name} AS row
WITH farthest, collect(CASE WHEN NOT row.archived THEN row END) AS fused,
     collect(CASE WHEN row.archived THEN row END) AS archived,
     coalesce(min(CASE WHEN NOT row.archived THEN row.fused END), 0.0) AS low,
     coalesce(max(CASE WHEN NOT row.archived THEN row.fused END), 0.0) AS high

// 3. The lift by neighbours and by the session, and the order that makes.
CALL (fused, low) {
  CALL (fused) {
    UNWIND fused AS row
    RETURN row.m AS m, row, null AS near
  UNION ALL
    UNWIND fused AS row
    WITH row, row.m AS m WHERE row.session IS NOT NULL
    MATCH (m)-[:NEXT]-(next:Memory)
    RETURN next AS m, null AS row, row.fused AS near
  }
  WITH m, collect(row)[0] AS row, coalesce(max(near), low) AS near, low
  WHERE row IS NOT NULL
  WITH row.session AS session, max(row.fused) AS best, collect(row {.*, near: near}) AS together, low
  UNWIND together AS row
  LET grouped = session IS NOT NULL
  LET beside = CASE WHEN grouped THEN $settings.neighbour * (row.near - low) ELSE 0.0 END,
      lead = CASE WHEN grouped THEN $settings.session * (best - low) ELSE 0.0 END
  LET lifted = row.fused + beside + lead
  ORDER BY lifted DESC, row.id
  RETURN collect(row {.*, beside: beside, lifted: lifted}) AS ranked,
         collect(DISTINCT CASE WHEN grouped THEN {id: session, best: best} END) AS sessions
}
LET first = ranked[0].lifted, last = ranked[coll.min([$settings.seeds, size(ranked) - 1])].lifted,
    bar = CASE WHEN $only.minimum > 0 OR size(ranked) < $k THEN -1e9 ELSE ranked[$k - 1].lifted - $settings.strength END
CALL (archived, sessions, low) {
  UNWIND archived AS row
  LET lead = coll.max([s IN sessions WHERE s.id = row.session | s.best])
  LET lifted = row.fused + $settings.session * (coalesce(lead, low) - low)
  ORDER BY lifted DESC, row.id LIMIT 6
  RETURN collect(row {.*, beside: 0.0, lifted: lifted}) AS closest
}

// 4. One hop over names and rare words, and who can still come among the first.
CALL (ranked, closest, first, last, bar) {
  CALL (ranked, closest, first, last) {
    UNWIND ranked + closest AS known
    RETURN known.m AS m, known, 0.0 AS mentioned, 0.0 AS subject, 0.0 AS term, null AS via
  UNION ALL
    MATCH (m:Memory {realm: $realm, id: $also})
      USING INDEX SEEK m:Memory(realm, id)
    RETURN m, null AS known, 0.0 AS mentioned, 0.0 AS subject, 0.0 AS term, null AS via
  UNION ALL
    UNWIND ranked[..$settings.seeds] AS seed
    WITH seed, seed.m AS m, first, last
    MATCH (m)-[:MENTIONS]->(over:Name) WHERE 1 < over.df <= $cap
    WITH over, collect(seed)[0] AS seed, first, last
    LET path = (seed.lifted - last) / (first - last + 1e-9) / sqrt(over.df - 1)
    MATCH (over)<-[tie:MENTIONS|ABOUT]-(m:Memory)
    LET said = type(tie) = 'MENTIONS'
    RETURN m, null AS known, CASE WHEN said THEN path ELSE 0.0 END AS mentioned,
           CASE WHEN said THEN 0.0 ELSE path END AS subject, 0.0 AS term,
           {value: path, seed: seed.id, over: over.key, how: type(tie)} AS via
  UNION ALL
    UNWIND ranked[..$settings.seeds] AS seed
    WITH seed, seed.m AS m, first, last
    MATCH (m)-[:HAS_TERM]->(over:Term) WHERE 1 < over.df <= $cap
    WITH over, collect(seed)[0] AS seed, first, last
    LET path = (seed.lifted - last) / (first - last + 1e-9) / sqrt(over.df - 1)
    FILTER $settings.hop_term * path >= $settings.hop_floor
    MATCH (over)<-[:HAS_TERM]-(m:Memory)
    RETURN m, null AS known, 0.0 AS mentioned, 0.0 AS subject, path AS term,
           {value: path, seed: seed.id, over: over.stem, how: 'HAS_TERM'} AS via
  }
  WITH m, bar, collect(known)[0] AS known, $settings.hop_mention * max(mentioned) AS mentioned,
       $settings.hop_subject * max(subject) AS subject, $settings.hop_term * max(term) AS term, collect(via) AS via
  LET hop = mentioned + subject + term
  FILTER known IS NULL OR known.lifted + hop >= bar OR known.id = $also
  RETURN m, known, mentioned, subject, term, hop, via
}
LET p = m {.id, .session, .subject, .noted, .clock, ends: coalesce(m.archive_at, m.archived_at), .anchor, .rate, .strength}
LET fresh = known IS NULL, grouped = p.session IS NOT NULL
LET lead = CASE WHEN grouped THEN $settings.session
         * (coalesce(coll.max([s IN sessions WHERE s.id = p.session | s.best]), low) - low) ELSE 0.0 END
FILTER NOT fresh OR p.id = $also OR hop + lead + $scale * farthest + $settings.name
       + CASE WHEN grouped THEN $settings.neighbour * (high - low) ELSE 0.0 END >= bar
LET left = p.strength * exp(-p.rate * coll.max([0, $only[p.clock] - p.anchor]) / 1e6)
FILTER p.id = $also OR left >= $only.minimum AND (NOT fresh OR p.noted
  AND ($only.archived OR p.ends > $only[p.clock])
  AND ($only.since IS NULL OR m.first_seen >= $only.since)
  AND ($only.until IS NULL OR m.first_seen <= $only.until)
  AND ($only.marks = [] OR all(mark IN $only.marks WHERE mark IN m.marks)))

// 5. The parts of what is left, and their sum.
LET cosine = CASE WHEN fresh THEN coalesce(1 - vector_distance(vector(m.embedding, vector_dimension_count($vector), FLOAT32), $vector, COSINE), 0.0) ELSE known.cosine END,
    name = CASE WHEN fresh THEN coalesce($names[p.subject], 0.0) ELSE known.name END,
    near = CASE WHEN fresh AND grouped THEN coll.max([next IN [(m)-[:NEXT]-(n:Memory) | n.id]
         | coll.max([row IN ranked WHERE row.id = next | row.fused])]) END
LET meant = $scale * cosine, words = $settings.words * coalesce(known.words, 0.0), named = $settings.name * name,
    beside = CASE WHEN fresh AND grouped THEN $settings.neighbour * (coalesce(near, low) - low) ELSE coalesce(known.beside, 0.0) END,
    faded = $settings.strength * (left - 1.0)
LET score = meant + words + named + beside + lead + hop + faded
ORDER BY score DESC, p.id LIMIT $k + 6
WITH size(ranked) AS candidates, collect({score: score, strength: left, via: via,
       archived: CASE WHEN known.archived THEN [p.clock, p.ends] END,
       parts: {cosine: cosine, vector: meant, words: words, name: named, neighbour: beside, session: lead,
               mention: mentioned, subject: subject, term: term, faded: faded},
       memory: m {.id, .text, .about, .speaker, .session, .tags, at: [m.first_seen.epochSeconds, m.first_seen.microsecond]}}) AS found
RETURN candidates, [row IN found WHERE row.archived IS NULL][..$k] AS hits,
       [row IN found[..$k] WHERE row.archived IS NOT NULL][..3] AS faded
