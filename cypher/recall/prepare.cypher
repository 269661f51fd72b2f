// Weighs a question's words and names in this realm, and finds the memories that have its words.
//
//   weight of a name = log(1 + (texts - count + 0.5) / (count + 0.5)) / log(1 + texts / 1.5)
//   boost of a word  = log(1 + (texts - count + 0.5) / (count + 0.5)), here over everywhere
//
// One fulltext index serves all realms, so its statistics mix them: every word is boosted by how
// rare it is here over how rare it is everywhere. With one realm that is 1. A word that nearly
// every memory has tells none from another, and would have them all compared. With a selective
// filter it takes all that passes the filter, with or without one of the words. A count that is no
// whole number from 0 to 10^12 is damaged, and counts as 0: one bad row of another realm decides
// nothing.
//
// Parameters: $realm, $settings, $name_keys, $words, $filter_clauses, $selective, $ids,
//   $pool
// Returns: text_count (number of indexed texts here), hop_limit (most memories a hop may share),
//   names (keys and weights of names known here),
//   word_hit_ids (memories with the words from best down),
//   word_hit_scores (word score of each of these), active (counted active time in microseconds),
//   covered (ends of its intervals in microseconds), unembedded (true if a text has no vector yet),
//   word_counts (stems and counts of the words that are not too common),
//   foreign_cosines (median and deviation of the best cosines of foreign questions, or null),
//   has_confirmed (true if a person confirmed an answer here)
// Access: read
// Scans: a realm has one Realm node, and word statistics are those of all of them

CYPHER 25
// Texts of this realm and of all: text_count, all_texts.
MATCH (here:Realm {realm: $realm})
CALL () {
  MATCH (each:Realm)
  RETURN toFloat(sum(
    CASE WHEN each.text_count IS :: INTEGER NOT NULL AND 0 <= each.text_count <= 1000000000000
      THEN each.text_count ELSE 0 END)) AS all_texts
}
LET text_count = toFloat(
  CASE WHEN here.text_count IS :: INTEGER NOT NULL AND 0 <= here.text_count <= 1000000000000
    THEN here.text_count ELSE 0 END)
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
// Words that are not too common, boosted and counted: boosted_words, word_counts.
CALL (text_count, all_texts) {
  UNWIND $words AS word
  OPTIONAL MATCH (term:Term {stem: word.stem})
    USING INDEX SEEK term:Term(stem)
  WITH text_count, all_texts, word, term.realm = $realm AS own,
       CASE WHEN term.memory_count IS :: INTEGER NOT NULL
              AND 0 <= term.memory_count <= 1000000000000
         THEN term.memory_count ELSE 0 END AS count
  WITH text_count, all_texts, word, sum(count) AS all_count,
       sum(CASE WHEN own THEN count ELSE 0 END) AS own_count
  FILTER text_count <= $pool OR own_count <= $settings.common * text_count
  LET boost = log(1 + coll.max([0.5, text_count - own_count + 0.5]) / (own_count + 0.5))
            / log(1 + coll.max([0.5, all_texts - all_count + 0.5]) / (all_count + 0.5))
  WITH collect(word.text + '^' + toString(round(boost, 3))) AS terms,
       collect({stem: word.stem, count: own_count}) AS word_counts
  RETURN reduce(text = '', term IN terms | text + ' ' + term) AS boosted_words, word_counts
}
// Memories that have the words, best first: word_hit_ids, word_hit_scores.
LET query = '+realm_key:' + here.realm_key + '^0 '
          + $filter_clauses + CASE WHEN $selective THEN '' ELSE '+' END
          + 'passage:(nothing_at_all' + boosted_words + ')'
CALL (query) {
  CALL db.index.fulltext.queryNodes('memory_passage', query, {limit: $pool}) YIELD node, score
  FILTER $ids IS NULL OR node.id IN $ids
  RETURN collect(node.id) AS word_hit_ids, collect(score) AS word_hit_scores
}
OPTIONAL MATCH (model:EmbeddingModel {realm: $realm})
RETURN text_count,
       CASE WHEN text_count > 10000 THEN 100.0 WHEN text_count < 1000 THEN 10.0
         ELSE text_count * 0.01 END AS hop_limit,
       names, word_hit_ids, word_hit_scores,
       coalesce(here.active_micros, 0) AS active,
       coalesce(here.active_intervals, []) AS covered,
       EXISTS { MATCH (memory:Memory {realm: $realm, unembedded: true}) } AS unembedded,
       word_counts,
       CASE WHEN model.foreign_median IS NOT NULL AND model.foreign_deviation IS NOT NULL
         THEN [model.foreign_median, model.foreign_deviation] END AS foreign_cosines,
       EXISTS { MATCH (narrative:Narrative {realm: $realm, kind: 'confirmed'}) } AS has_confirmed
