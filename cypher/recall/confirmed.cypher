// Returns the memories that people confirmed for questions near to this one.
//
//   lift = $settings.confirmed * (cosine - least) / (1 - least), least = $settings.confirmed_from,
//   where cosine is that of the two questions; of several questions the best counts.
//
// Parameters: $realm, $settings, $vector
// Returns: confirmed (memories with lift, question, if it may come first, and if it comes before
//   all others because the two questions are nearly the same)
// Access: read

CYPHER 25
MATCH (narrative:Narrative)
  SEARCH narrative IN (
    VECTOR INDEX knowledge_embedding FOR $vector
    WHERE narrative.realm = $realm AND narrative.kind = 'confirmed'
    LIMIT 5
  ) SCORE AS similarity
LET cosine = 2 * similarity - 1
FILTER cosine >= $settings.confirmed_from
MATCH (narrative)-[quote:QUOTES]->(memory:Memory)
WHERE quote.confirmed IS NOT NULL
WITH memory.id AS id, cosine, narrative.name AS question
ORDER BY cosine DESC, question
WITH id, collect({cosine: cosine, question: question})[0] AS best
RETURN collect({
  id: id,
  question: best.question,
  may_lead: best.cosine >= $settings.confirmed_first,
  leads: best.cosine >= $settings.confirmed_top,
  lift: $settings.confirmed * (best.cosine - $settings.confirmed_from)
      / (1 - $settings.confirmed_from)
}) AS confirmed
