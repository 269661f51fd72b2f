// Weighs a question's words and names in this realm, and finds the memories that have its words.
//
//   weight of a name = log(1 + (texts - count + 0.5) / (count + 0.5)) / log(1 + texts / 1.5)
//   weight of a word = log(1 + (texts - count + 0.5) / (count + 0.5))
//   word score       = sum of weight * often * (saturation + 1) / (often + saturation * size)
//   size             = 1 - word_length + word_length * words of the memory / words of a mean one
//
// One fulltext index serves all realms, so it only proposes memories, by the weights of the words
// that each has: no count of it plays a part, and an answer depends on its realm alone. Where it
// cannot propose all, those of the lowest weight are left out, for which of them come is chance.
// The best proposals have their words counted.
//
// A word that nearly every memory has tells none from another, and would have them all compared.
// With a selective filter it takes all that passes the filter, with or without one of the words. A
// count that is no whole number from 0 to 10^12 is damaged, and counts as 0.
//
// Where memories have the question's language, the words of those in another count less, by
// $settings.words_across: a bank is one in German and in English, but "geld" is money in German
// alone, and in Turkish it came.
//
// Parameters: $realm, $settings, $name_keys, $words, $language, $filter_clauses, $selective, $ids,
//   $pool
// Returns: text_count (number of indexed texts here), hop_limit (most memories a hop may share),
//   names (keys and weights of names known here),
//   word_hit_ids (memories with the words from best down),
//   word_hit_scores (word score of each of these),
//   best_word_score (best of these before the language counts),
//   all_proposed (true if no memory that has a word was left out),
//   active (counted active time in microseconds),
//   covered (ends of its intervals in microseconds), unembedded (true if a text has no vector yet),
//   word_counts (stems and counts of the words that are not too common),
//   languages (codes of the languages of the texts here),
//   foreign_cosines (median and deviation of the best cosines of foreign questions, or null),
//   has_confirmed (true if a person confirmed an answer here),
//   has_speakers (true if somebody said a text here)
// Access: read

CYPHER 25
// Texts of this realm, and the words of a mean one: text_count, mean_words.
MATCH (here:Realm {realm: $realm})
LET text_count = toFloat(
  CASE WHEN here.text_count IS :: INTEGER NOT NULL AND 0 <= here.text_count <= 1000000000000
    THEN here.text_count ELSE 0 END)
LET mean_words =
  CASE WHEN text_count > 0 AND here.word_count IS :: INTEGER NOT NULL
         AND 0 < here.word_count <= 1000000000000
    THEN here.word_count / text_count ELSE 1.0 END
// Names that are known here, with their weights: names.
CALL (text_count) {
  UNWIND $name_keys AS name_key
  MATCH (name:Name {realm: $realm, key: name_key})
    USING INDEX SEEK name:Name(realm, key)
  LET count = coll.max([1, name.memory_count])
  LET weight = log(1 + coll.max([0.0, text_count - count + 0.5]) / (count + 0.5))
             / log(1 + text_count / 1.5)
  WITH name.key AS key, weight ORDER BY weight DESC, key
  RETURN collect({key: key, weight: weight}) AS names
}
// Words that are not too common, counted and weighed: weighed.
CALL (text_count) {
  UNWIND $words AS word
  OPTIONAL MATCH (term:Term {realm: $realm, stem: word.stem})
    USING INDEX SEEK term:Term(realm, stem)
  LET count =
    CASE WHEN term.memory_count IS :: INTEGER NOT NULL AND 0 <= term.memory_count <= 1000000000000
      THEN term.memory_count ELSE 0 END
  FILTER text_count <= $pool OR count <= $settings.common * text_count
  LET weight = log(1 + coll.max([0.5, text_count - count + 0.5]) / (count + 0.5))
  RETURN collect({stem: word.stem, pattern: ' ' + word.stem + ' ', count: count, weight: weight})
    AS weighed
}
// What the index proposes, from the most weight of words down: proposed, weights.
// A range scores its boost alone. These are 64ths, whose sums are exact in any order.
LET clauses = reduce(text = '', word IN weighed | text + ' words:["' + word.stem + '" TO "'
              + word.stem + '"]^' + toString(coll.max([1, round(64 * word.weight)]) / 64.0))
LET query = '+realm_key:' + here.realm_key + '^0 ' + $filter_clauses
          + CASE WHEN $selective THEN '' ELSE '+' END + '(words:nothing_at_all' + clauses + ')',
    most = coll.max([$settings.proposed, $pool])
CALL (query, most) {
  CALL (query, most) {
    WITH query, most WHERE $ids IS NULL
    CALL db.index.fulltext.queryNodes('memory_words', query, {limit: most}) YIELD node, score
    RETURN node AS memory, score AS weight
  UNION ALL
    UNWIND $ids AS id
    MATCH (memory:Memory {realm: $realm, id: id})
      USING INDEX SEEK memory:Memory(realm, id)
    RETURN memory, 1.0 AS weight
  }
  RETURN collect(memory) AS proposed, collect(weight) AS weights
}
LET all_proposed = $ids IS NOT NULL OR size(proposed) < most,
    counted_from = CASE WHEN $ids IS NULL AND proposed <> []
      THEN weights[coll.min([$settings.rescored, size(weights)]) - 1] ELSE 0.0 END
// The word scores of the best of these: word_hit_ids, word_hit_scores, best_word_score.
// Each word that is there adds weight * (1 - norm / (often + norm)): the formula above, with
// `often` read once. A property takes longer to read: a language is read only where some differ.
LET saturation = $settings.word_saturation,
    short = 1 - $settings.word_length,
    long = $settings.word_length / mean_words,
    every = $selective OR $ids IS NOT NULL,
    own_language = CASE WHEN size(here.languages) > 1 AND $language IN here.languages
      THEN $language END
CALL (mean_words, weighed, proposed, weights, all_proposed, counted_from, saturation, short, long,
      every, own_language) {
  UNWIND range(0, size(weights) - 1) AS place
  LET weight = weights[place]
  FILTER (all_proposed OR weight > weights[-1]) AND (every OR weight >= counted_from)
  LET memory = proposed[place]
  LET words = CASE WHEN weight >= counted_from THEN coalesce(memory.words, '') ELSE '' END,
      norm = 1e-9 + saturation * (short + long * coalesce(memory.word_count, mean_words))
  LET whole = (saturation + 1) * reduce(sum = 0.0, word IN weighed |
        CASE WHEN words CONTAINS word.pattern
          THEN sum + word.weight * (1 - norm / (size(split(words, word.pattern)) - 1 + norm))
          ELSE sum END)
  FILTER whole > 0 OR every
  LET score = CASE WHEN own_language IS NULL THEN whole
        WHEN memory.language <> own_language THEN $settings.words_across * whole ELSE whole END
  WITH memory.id AS id, whole, score ORDER BY score DESC, id LIMIT $pool
  RETURN collect(id) AS word_hit_ids, collect(score) AS word_hit_scores,
         max(whole) AS best_word_score
}
OPTIONAL MATCH (model:EmbeddingModel {realm: $realm})
RETURN text_count,
       CASE WHEN text_count > 10000 THEN 100.0 WHEN text_count < 1000 THEN 10.0
         ELSE text_count * 0.01 END AS hop_limit,
       names, word_hit_ids, word_hit_scores, coalesce(best_word_score, 0.0) AS best_word_score,
       all_proposed,
       coalesce(here.active_micros, 0) AS active,
       coalesce(here.active_intervals, []) AS covered,
       EXISTS { MATCH (memory:Memory {realm: $realm, unembedded: true}) } AS unembedded,
       [word IN weighed | word {.stem, .count}] AS word_counts,
       coalesce(here.languages, []) AS languages,
       CASE WHEN model.foreign_median IS NOT NULL AND model.foreign_deviation IS NOT NULL
         THEN [model.foreign_median, model.foreign_deviation] END AS foreign_cosines,
       EXISTS { MATCH (narrative:Narrative {realm: $realm, kind: 'confirmed'}) } AS has_confirmed,
       EXISTS {
         MATCH (memory:Memory {realm: $realm}) WHERE memory.speaker IS NOT NULL
       } AS has_speakers
