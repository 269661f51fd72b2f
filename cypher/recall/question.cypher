// What a question's words and names are worth in this realm, and the memories that have its words.
//
// One fulltext index serves all realms, so its statistics mix them: every word is boosted by how
// rare it is here over how rare it is everywhere. With one realm that is 1. A word that nearly every
// memory has tells none from another, and would have them all compared. A narrowed question takes all
// that it is narrowed to, whether or not it has one of the words. A count that is no whole number from 0
// to 10^12 is damaged, and counts as 0: one bad row of another realm decides nothing here.
//
// Parameters: $realm, $settings, $grams, $words, $must, $pool
// Returns: total, cap, names, worded, matched, active, covered, unembedded
// Access: read
// Scans: a realm has one Realm node, and word statistics are those of all of them

CYPHER 25
MATCH (here:Realm {realm: $realm})
CALL () {
  MATCH (realm:Realm)
  RETURN toFloat(sum(CASE WHEN realm.n IS :: INTEGER NOT NULL AND 0 <= realm.n <= 1000000000000
                          THEN realm.n ELSE 0 END)) AS everywhere
}
LET n = CASE WHEN here.n IS :: INTEGER NOT NULL AND 0 <= here.n <= 1000000000000
             THEN toFloat(here.n) ELSE 0.0 END
CALL (n) {
  UNWIND $grams AS gram
  MATCH (name:Name {realm: $realm, key: gram})
    USING INDEX SEEK name:Name(realm, key)
  LET df = coll.max([1, name.df])
  LET worth = log(1 + coll.max([0.0, n - df + 0.5]) / (df + 0.5)) / log(1 + n / 1.5)
  WITH name.key AS key, worth ORDER BY worth DESC, key
  RETURN collect({key: key, worth: worth}) AS names
}
CALL (n, everywhere) {
  UNWIND $words AS word
  OPTIONAL MATCH (term:Term {stem: word.stem})
    USING INDEX SEEK term:Term(stem)
  WITH n, everywhere, word, term.realm = $realm AS own,
       CASE WHEN term.df IS :: INTEGER NOT NULL AND 0 <= term.df <= 1000000000000
            THEN term.df ELSE 0 END AS count
  WITH n, everywhere, word, sum(count) AS all, sum(CASE WHEN own THEN count ELSE 0 END) AS df
  FILTER n <= $pool OR df <= $settings.common * n
  LET boost = log(1 + coll.max([0.5, n - df + 0.5]) / (df + 0.5))
            / log(1 + coll.max([0.5, everywhere - all + 0.5]) / (all + 0.5))
  RETURN reduce(text = '', part IN collect(word.text + '^' + toString(round(boost, 3))) | text + ' ' + part) AS scored
}
LET text = '+realm_key:' + here.realm_key + '^0 ' + CASE $must WHEN '' THEN '+' ELSE $must END
         + 'passage:(nothing_at_all' + scored + ')'
CALL (text) {
  CALL db.index.fulltext.queryNodes('memory_passage', text, {limit: $pool}) YIELD node, score
  RETURN collect(node.id) AS worded, collect(score) AS matched
}
RETURN n AS total, CASE WHEN n > 10000 THEN 100.0 WHEN n < 1000 THEN 10.0 ELSE n * 0.01 END AS cap, names,
       worded, matched, coalesce(here.active_micros, 0) AS active,
       coalesce(here.active_intervals, []) AS covered,
       EXISTS { MATCH (m:Memory {realm: $realm, unembedded: true}) } AS unembedded
