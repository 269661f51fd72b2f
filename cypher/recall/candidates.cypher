// What may answer a question, by vectors, words, names and neighbours, ranked before any hop.
//
// The fused score is lifted by what was said next to a memory and by the best of its session, both
// measured from the lowest candidate; without sessions nothing is lifted. One row of lists: a row
// each would take longer to send than all of this to work out.
//
// Parameters: $realm, $settings, $vector, $text, $names, $pool, $scale, $only
// Returns: lifted, fused, ids, sessions, farthest, low
// Access: read

CYPHER 25
CALL () {
  MATCH (m:Memory)
    SEARCH m IN (VECTOR INDEX knowledge_embedding FOR $vector WHERE m.realm = $realm AND m.kind = 'text' LIMIT $pool)
    SCORE AS similarity
  RETURN m, 2 * similarity - 1 AS cosine, 0.0 AS words
UNION ALL
  CALL db.index.fulltext.queryNodes('memory_passage', $text, {limit: $pool}) YIELD node AS m, score
  RETURN m, null AS cosine, score AS words
UNION ALL
  UNWIND $names AS known
  MATCH (:Name {realm: $realm, key: known.key})<-[:ABOUT]-(m:Memory)
  RETURN m, null AS cosine, 0.0 AS words LIMIT $pool
}
WITH m, max(cosine) AS cosine, max(words) AS words
WITH collect({m: m, cosine: cosine, words: words}) AS found,
     max(words) AS most, min(cosine) AS farthest
CALL (found) {
  UNWIND found AS row
  RETURN row.m AS m, row.cosine AS cosine, row.words AS words
UNION ALL
  UNWIND found AS row
  WITH row.m AS near WHERE near.session IS NOT NULL
  MATCH (near)-[:NEXT]-(m:Memory)
  RETURN DISTINCT m, null AS cosine, 0.0 AS words
}
WITH most, farthest, m, max(cosine) AS cosine, max(words) AS words,
     m {.id, .session, .subject, .noted, .clock, ends: coalesce(m.archive_at, m.archived_at)} AS p
WHERE p.noted AND ($only.archived OR p.ends > $only[p.clock])
  AND ($only.since IS NULL OR m.first_seen >= $only.since)
  AND ($only.until IS NULL OR m.first_seen <= $only.until)
  AND ($only.marks = [] OR all(mark IN $only.marks WHERE mark IN m.marks))
WITH farthest, m, p, words / CASE WHEN most > 0 THEN most ELSE 1.0 END AS words,
     coalesce(cosine, 2 * vector.similarity.cosine(m.embedding, $vector) - 1, 0.0) AS cosine,
     coalesce(coll.max([known IN $names WHERE known.key = p.subject | known.worth]), 0.0) AS name
WITH *, $scale * cosine + $settings.words * words + $settings.name * name AS fused
WITH collect({m: m, id: p.id, session: p.session, fused: fused}) AS base, min(fused) AS low, farthest
CALL (base) {
  UNWIND base AS row
  RETURN row.m AS m, row, null AS beside
UNION ALL
  UNWIND base AS row
  WITH row, row.m AS near WHERE row.session IS NOT NULL
  MATCH (near)-[:NEXT]-(m:Memory)
  RETURN m, null AS row, row.fused AS beside
}
WITH m, collect(row)[0] AS row, max(beside) AS beside, low, farthest
WHERE row IS NOT NULL
WITH row.session AS session, max(row.fused) AS best, low, farthest,
     collect({row: row, beside: coalesce(beside, low)}) AS together
UNWIND together AS each
LET row = each.row, lift = CASE WHEN session IS NULL THEN 0.0
      ELSE $settings.neighbour * (each.beside - low) + $settings.session * (best - low) END
WITH row.id AS id, row.fused AS fused, row.fused + lift AS lifted, farthest, low,
     CASE WHEN session IS NOT NULL THEN {session: session, best: best} END AS told
ORDER BY lifted DESC, id
RETURN collect(lifted) AS lifted, collect(fused) AS fused, collect(id) AS ids,
       collect(DISTINCT told) AS sessions, farthest, low
