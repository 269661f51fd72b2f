// Finds the intents and consequences that a question points at, with the chains that end there.
//
//   line score = $cosine_scale * cosine + $settings.find_words * word score / best word score
//   score      = the best line score of the end and of the intents that it came from
//
// An intent that was answered leads to its consequence, so that a chain ends with what came of it.
//
// Parameters: $realm, $settings, $vector, $cosine_scale, $words, $session_id, $pool, $k, $depth,
//   $limit
// Returns: score (of the end), cosine (of the line that fits best), words (its word score, 0 to 1),
//   line_id (id of that line: the end itself, or an intent that led to it), lines (number of
//   recorded intents and consequences), unembedded (number of them that wait for a vector),
//   branches (chains that end there, longest first, each a list of steps)
// Access: read

CYPHER 25
// 1. Lines by their meaning and by their words: line, word_score.
CALL () {
  MATCH (line:Intent|Consequence)
    SEARCH line IN (
      VECTOR INDEX causal_embedding FOR $vector
      WHERE line.realm = $realm
      LIMIT $pool
    ) SCORE AS similarity
  RETURN line, 0.0 AS word_score
UNION ALL
  CALL db.index.fulltext.queryNodes('graph_text', $words, {limit: 4 * $pool}) YIELD node, score
  FILTER node.realm = $realm AND (node:Intent OR node:Consequence)
  RETURN node AS line, score AS word_score
  ORDER BY score DESC, line.id LIMIT $pool
}
WITH line, max(word_score) AS word_score
WHERE line.anchor_index IS NOT NULL AND ($session_id IS NULL OR line.session_id = $session_id)
WITH collect({line: line, word_score: word_score}) AS found, max(word_score) AS best_word_score
// 2. Their scores, and where each of them leads: end, line, line_score.
UNWIND found AS each
LET line = each.line,
    words = each.word_score / CASE WHEN best_word_score > 0 THEN best_word_score ELSE 1.0 END
LET cosine = coalesce(
      1 - vector_distance(
        vector(line.embedding, vector_dimension_count($vector), FLOAT32), $vector, COSINE
      ),
      0.0
    )
LET line_score = $cosine_scale * cosine + $settings.find_words * words
OPTIONAL MATCH (line)-[:CAUSES]->(consequence:Consequence)
WITH coalesce(consequence, line) AS end, line, line_score, cosine, words
ORDER BY line_score DESC, line.anchor_index, line.id
// 3. The best ends, each with the line that fits best: end, best.
WITH end, collect({id: line.id, score: line_score, cosine: cosine, words: words})[0] AS best
ORDER BY best.score DESC, end.session_id, end.anchor_index LIMIT $k
// 4. The chains that end there, as causality/causes reads them: branches.
CALL (end) {
  OPTIONAL MATCH path = (end)(()<-[steps:CAUSES|PROMPTS]-()){1,60}(first)
  WHERE allReduce(length = 0, step IN steps | length + 1, length <= $depth)
    AND (size(steps) = $depth OR NOT EXISTS { (first)<-[:CAUSES|PROMPTS]-() })
  WITH path
  ORDER BY length(path) DESC, [node IN reverse(nodes(path)) | node.anchor_index]
  LIMIT $limit
  LET nodes = reverse(coalesce(nodes(path), [end])),
      links = reverse(coalesce(relationships(path), []))
  RETURN collect([at IN range(0, size(nodes) - 1) | {
      id: nodes[at].id, session_id: nodes[at].session_id,
      kind: CASE WHEN nodes[at]:Intent THEN 'intent' ELSE 'consequence' END,
      by: CASE at WHEN 0 THEN null ELSE toLower(type(links[at - 1])) END,
      anchor_index: nodes[at].anchor_index, actor: nodes[at].actor, type: nodes[at].type,
      strength: nodes[at].strength, text: nodes[at].text,
      line_gap: CASE at WHEN 0 THEN null ELSE links[at - 1].line_gap END,
      score: CASE at WHEN 0 THEN null ELSE links[at - 1].score END,
      reason: CASE at WHEN 0 THEN null ELSE links[at - 1].reason END,
      shared_words: CASE at WHEN 0 THEN null ELSE links[at - 1].shared_words END,
      throw_skill: CASE at WHEN 0 THEN null ELSE links[at - 1].throw_skill END,
      throw_number: CASE at WHEN 0 THEN null ELSE links[at - 1].throw_number END
    }]) AS branches
}
// 5. All lines that were recorded: lines, unembedded. Sessions of texts have no run.
CALL () {
  MATCH (session:Session)
    USING INDEX SEEK session:Session(realm, run_id)
  WHERE session.realm = $realm AND session.run_id IS NOT NULL
  RETURN coalesce(sum(session.intents + session.consequences), 0) AS lines,
         coalesce(sum(session.unembedded), 0) AS unembedded
}
RETURN best.score AS score, best.cosine AS cosine, best.words AS words, best.id AS line_id, lines,
       unembedded, branches
ORDER BY score DESC, branches[0][-1].session_id, branches[0][-1].anchor_index
