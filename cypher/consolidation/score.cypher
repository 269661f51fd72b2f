// Scores pairs of texts as consolidation does, with the four parts of each score.
//
// in_realm = (cosine - mean of the realm) / deviation of the realm
// of_texts = mean of (cosine - mean of a text) / deviation of that text, over both texts
// kin = min(in_realm, of_texts) / 10 + words, within 0 and 1
// words = sum of rarity^2 of the rare words of both / (length of first * length of second)
// score = 0.55 kin + 0.20 tags + 0.15 category + 0.10 nearness, and 0 for kin below the guard
//
// A text that nobody measured yet is taken as one like all others. Nothing is returned for a text
// without a vector.
//
// Parameters: $realm, $settings, $pairs
// Returns: first_id (id of one text), second_id (id of the other),
//   raw_cosine (cosine as the model has it), cosine (calibrated), kin (from 0 to 1),
//   words (part of kin), from_cosine (part of the score, of kin or of the cosine),
//   from_tags (part), from_category (part), from_hours (part), score (0 below the guard),
//   stems (rare words of both, rarest first), names (names of both, rarest first)
// Access: read

CYPHER 25
// The scale of the realm.
MATCH (realm:Realm {realm: $realm}), (model:EmbeddingModel {realm: $realm})
OPTIONAL MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
WITH toFloat(realm.text_count) AS texts, model.mean AS baseline,
     coalesce(model.text_mean, model.mean) AS mean,
     coalesce(model.text_deviation, model.spread) AS deviation,
     coalesce(cursor.rebuilt_last_seq, 0) AS rebuilt,
     coalesce(realm.active_micros, 0) / 3.6e9 AS now
WITH *, CASE WHEN texts > 30 THEN texts / 10 ELSE 3.0 END AS most
UNWIND $pairs AS pair
MATCH (first:Memory {realm: $realm, id: pair[0]})
  USING INDEX SEEK first:Memory(realm, id)
MATCH (second:Memory {realm: $realm, id: pair[1]})
  USING INDEX SEEK second:Memory(realm, id)
// Their cosine, in double precision.
WITH *, first.embedding AS ours, second.embedding AS theirs
WHERE size(ours) = size(theirs)
WITH *,
     reduce(sum = 0.0, place IN range(0, size(ours) - 1) | sum + ours[place] * theirs[place])
       AS product,
     sqrt(reduce(sum = 0.0, number IN ours | sum + number * number)) AS our_length,
     sqrt(reduce(sum = 0.0, number IN theirs | sum + number * number)) AS their_length
WITH *, CASE WHEN our_length * their_length > 0 THEN product / (our_length * their_length)
             ELSE 0.0 END AS raw_cosine
WITH *, CASE WHEN baseline = 0 THEN raw_cosine
             WHEN raw_cosine > baseline THEN (raw_cosine - baseline) / (1 - baseline)
             ELSE 0.0 END AS cosine
// Rare words and names of both, and what all words of each weigh.
CALL (first, second, texts, most) {
  OPTIONAL MATCH (first)-[:HAS_TERM]->(term:Term)<-[:HAS_TERM]-(second)
  WHERE 1 < term.memory_count <= most AND term.memory_count < texts
  WITH term, texts ORDER BY term.memory_count, term.stem
  RETURN coalesce(sum((log(texts / term.memory_count) / log(texts)) ^ 2), 0.0) AS shared,
         collect(term.stem) AS stems
}
CALL (first, texts) {
  OPTIONAL MATCH (first)-[:HAS_TERM]->(term:Term) WHERE 0 < term.memory_count < texts
  RETURN sqrt(sum((log(texts / term.memory_count) / log(texts)) ^ 2)) AS our_words
}
CALL (second, texts) {
  OPTIONAL MATCH (second)-[:HAS_TERM]->(term:Term) WHERE 0 < term.memory_count < texts
  RETURN sqrt(sum((log(texts / term.memory_count) / log(texts)) ^ 2)) AS their_words
}
CALL (first, second) {
  OPTIONAL MATCH (first)-[:MENTIONS]->(name:Name)<-[:MENTIONS]-(second)
  WITH name ORDER BY name.memory_count, name.key
  RETURN collect(name.key) AS names
}
// Kin.
WITH *, CASE WHEN our_words * their_words > 0 THEN shared / (our_words * their_words)
             ELSE 0.0 END AS words,
     (raw_cosine - mean) / deviation AS in_realm,
     ((raw_cosine - coalesce(first.cosine_mean, mean))
        / coalesce(first.cosine_deviation, deviation)
      + (raw_cosine - coalesce(second.cosine_mean, mean))
        / coalesce(second.cosine_deviation, deviation)) / 2 AS of_texts
WITH *, CASE WHEN in_realm < of_texts THEN in_realm ELSE of_texts END / 10 + words AS sum_of_both
WITH *, CASE WHEN sum_of_both < 0 THEN 0.0 WHEN sum_of_both > 1 THEN 1.0
             ELSE sum_of_both END AS kin
// What was shared when the later one came: tags, category, active hours.
WITH *, coalesce(first.tags, []) AS our_tags, coalesce(second.tags, []) AS their_tags,
     coalesce(first.category, '') = coalesce(second.category, '') AS same_category,
     CASE WHEN coalesce(first.promoted_seq > second.promoted_seq, first.promoted_seq IS NULL)
          THEN [first, second] ELSE [second, first] END AS ordered
WITH *, ordered[0] AS later, ordered[1] AS earlier
WITH *, coalesce(later.learned_at_hours, now) AS learned,
     coalesce(later.promoted_seq <= rebuilt OR later.consolidated_by = earlier.consolidated_by,
              earlier.promoted_seq IS NULL) AS together,
     coalesce(earlier.last_reinforced_hours, 0.0) AS used
WITH *, CASE WHEN together AND $settings.inbatch_hours = 'run' THEN 0.0
             WHEN together THEN learned
             WHEN used <= learned THEN learned - used
             ELSE learned - coalesce(earlier.learned_at_hours, 0.0) END AS apart
// The four parts.
WITH *, CASE WHEN $settings.signal = 'kin' THEN kin WHEN cosine > 1 THEN 1.0
             WHEN cosine > 0 THEN cosine ELSE 0.0 END AS signal,
     size([tag IN coll.distinct(our_tags) WHERE tag IN their_tags]) AS shared_tags,
     size(coll.distinct(our_tags + their_tags)) AS every_tag
WITH *, $settings.weight_cosine * signal AS from_cosine,
     CASE WHEN shared_tags > 0 THEN $settings.weight_tags * shared_tags / every_tag ELSE 0.0 END
       AS from_tags,
     $settings.weight_category
       * CASE WHEN same_category THEN 1.0 ELSE $settings.cross_category_score END AS from_category,
     $settings.weight_hours
       * exp(-apart * apart / (2 * $settings.temporal_sigma_hours ^ 2)) AS from_hours
RETURN first.id AS first_id, second.id AS second_id, raw_cosine, cosine, kin, words,
       from_cosine, from_tags, from_category, from_hours,
       CASE WHEN signal >= $settings.minimum_cosine_for_edge - 1e-9
            THEN from_cosine + from_tags + from_category + from_hours ELSE 0.0 END AS score,
       stems, names
