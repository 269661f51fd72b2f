// Why two texts belong together or not: the four parts of their score, with the default weights.
//
// kin = min(cosine in deviations of the realm, the same of both texts) / 10 + their rare words
// score = 0.55 kin + 0.20 tags + 0.15 category + 0.10 nearness, and 0 for kin below 0.30
// Texts of one run are taken as no hours apart; asterism memory explain tells the rest.
//
// Parameters: $realm, $first_id, $second_id
// Returns: path (both texts with the rare words and names that they share),
//   cosine (of both texts, as the model has it), kin (from 0 to 1), words (part of kin),
//   from_kin (part of the score), from_tags (part), from_category (part), from_hours (part),
//   score (from 0 to 1)
// Access: read

:param realm => 'demo';
:param first_id => COLLECT { MATCH (m0:Memory {realm: 'demo'})-[r0:SIMILAR]->() RETURN m0.id ORDER BY r0.weight DESC, m0.id LIMIT 1 }[0];
:param second_id => COLLECT { MATCH (:Memory {realm: 'demo'})-[r0:SIMILAR]->(n0) RETURN n0.id ORDER BY r0.weight DESC, startNode(r0).id LIMIT 1 }[0];

CYPHER 25
MATCH (realm:Realm {realm: $realm}), (model:EmbeddingModel {realm: $realm})
MATCH (first:Memory {realm: $realm, id: $first_id})
MATCH (second:Memory {realm: $realm, id: $second_id})
WHERE first.embedding IS NOT NULL AND second.embedding IS NOT NULL
LET texts = toFloat(realm.text_count),
    mean = coalesce(model.text_mean, model.mean),
    deviation = coalesce(model.text_deviation, model.spread),
    cosine = 1 - vector_distance(vector(first.embedding, model.dimensions, FLOAT32),
                                 vector(second.embedding, model.dimensions, FLOAT32), COSINE)
// Rare words of both, by what all words of each weigh.
CALL (first, second, texts) {
  OPTIONAL MATCH (first)-[:HAS_TERM]->(term:Term)<-[:HAS_TERM]-(second)
  WHERE 1 < term.memory_count < texts
    AND term.memory_count <= CASE WHEN texts > 30 THEN texts / 10 ELSE 3.0 END
  RETURN coalesce(sum((log(texts / term.memory_count) / log(texts)) ^ 2), 0.0) AS shared
}
CALL (first, second, texts) {
  UNWIND [first, second] AS memory
  CALL (memory, texts) {
    OPTIONAL MATCH (memory)-[:HAS_TERM]->(term:Term) WHERE 0 < term.memory_count < texts
    RETURN sqrt(sum((log(texts / term.memory_count) / log(texts)) ^ 2)) AS length
  }
  WITH collect(length) AS lengths
  RETURN lengths[0] * lengths[1] AS lengths
}
// Kin.
LET words = CASE WHEN lengths > 0 THEN shared / lengths ELSE 0.0 END,
    in_realm = (cosine - mean) / deviation,
    of_texts = reduce(sum = 0.0, text IN [first, second] |
      sum + (cosine - coalesce(text.cosine_mean, mean))
            / coalesce(text.cosine_deviation, deviation)) / 2
LET total = CASE WHEN in_realm < of_texts THEN in_realm ELSE of_texts END / 10 + words
LET kin = CASE WHEN total < 0 THEN 0.0 WHEN total > 1 THEN 1.0 ELSE total END
// The four parts.
LET ours = coll.distinct(coalesce(first.tags, [])),
    theirs = coll.distinct(coalesce(second.tags, []))
LET common = size([tag IN ours WHERE tag IN theirs])
LET apart = CASE WHEN first.consolidated_by = second.consolidated_by THEN 0.0
                 ELSE coalesce(first.learned_at_hours - second.learned_at_hours, 0.0) END
LET from_kin = 0.55 * kin,
    from_tags = CASE WHEN common > 0
                     THEN 0.20 * common / (size(ours) + size(theirs) - common) ELSE 0.0 END,
    from_category = 0.15 * CASE WHEN coalesce(first.category, '') = coalesce(second.category, '')
                                THEN 1.0 ELSE 0.30 END,
    from_hours = 0.10 * exp(-apart * apart / 128)
OPTIONAL MATCH path = (first)-[:MENTIONS|HAS_TERM]->(:Name|Term)<-[:MENTIONS|HAS_TERM]-(second)
RETURN path, cosine, kin, words, from_kin, from_tags, from_category,
       from_hours, CASE WHEN kin >= 0.30 - 1e-9
                        THEN from_kin + from_tags + from_category + from_hours ELSE 0.0 END AS score
