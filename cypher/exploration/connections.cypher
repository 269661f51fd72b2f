// Returns what joins the best finding to others, and relationships between starts of any part.
//
// A name or a word of a name joins two texts if few memories have it and the question does not.
// An edge of consolidation joins them from a weight on. Lines of talk are not joined.
//
// Parameters: $realm, $settings, $findings, $others, $asked_words, $asked_stems
// Returns: a (element id of the better one), b (element id of the other), names (keys), words
//   (stems), edge (weight of the edge between both, or null), links (types and texts of the
//   relationships of other kinds between both)
// Access: read

CYPHER 25
// 1. Pairs to be looked at: the best finding with each other, and every start with every other.
LET places = $findings + $others
UNWIND range(0, size(places) - 2) AS first
UNWIND range(first + 1, size(places) - 1) AS second
LET texts = first = 0 AND second < size($findings)
MATCH (a) WHERE elementId(a) = places[first] AND a.realm = $realm
MATCH (b) WHERE elementId(b) = places[second] AND b.realm = $realm
// 2. What two texts share: names, words.
CALL (a, b, texts) {
  WITH a, b WHERE texts AND a.speaker IS NULL AND b.speaker IS NULL
  MATCH (a)-[:MENTIONS]->(name:Name)<-[:MENTIONS]-(b)
  WHERE name.memory_count <= $settings.join_limit
    AND none(word IN split(name.key, ' ') WHERE word IN $asked_words)
  WITH name ORDER BY name.memory_count, name.key
  RETURN collect(name.key) AS names
}
CALL (a, b, texts) {
  WITH a, b WHERE texts AND a.speaker IS NULL AND b.speaker IS NULL
  MATCH (a)-[:HAS_TERM]->(term:Term)<-[:HAS_TERM]-(b)
  WHERE term.memory_count <= $settings.join_limit AND NOT term.stem IN $asked_stems
    AND EXISTS { (a)-[:MENTIONS]->(own:Name)
      WHERE any(part IN split(own.key, ' ') WHERE part STARTS WITH term.stem) }
    AND EXISTS { (b)-[:MENTIONS]->(its:Name)
      WHERE any(part IN split(its.key, ' ') WHERE part STARTS WITH term.stem) }
  WITH term ORDER BY term.memory_count, term.stem
  RETURN collect(term.stem) AS words
}
// 3. Relationships between both: edge, links.
CALL (a, b) {
  MATCH (a)-[edge:SIMILAR]-(b)
  WHERE edge.weight >= $settings.join_weight AND a.speaker IS NULL AND b.speaker IS NULL
  RETURN max(edge.weight) AS edge
}
CALL (a, b) {
  MATCH (a)-[link:LINK|RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS
      |SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME|ATTEMPTED|SAID|CAUSES|PROMPTS
              |DESCRIBES|CONCERNS]-(b)
  WITH link ORDER BY type(link), elementId(link)
  RETURN collect({type: type(link), text: coalesce(link.synthesis, '')})[..3] AS links
}
FILTER names <> [] OR words <> [] OR texts AND edge IS NOT NULL OR links <> []
RETURN elementId(a) AS a, elementId(b) AS b, names, words,
       CASE WHEN texts THEN edge END AS edge, links
