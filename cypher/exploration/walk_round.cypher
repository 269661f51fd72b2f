// Returns where each front of a guided walk can go from its node, best first: one row a front.
//
//   lift  = front value * (best name way + best word way), or front value * 0.1 * polarity
//     name way = rarity * 0.3, or * 0.5 to a memory that is about the name
//     word way = rarity * 0.1, or * 0.3 if the word is part of a name in both
//     rarity   = 1 / sqrt(memories that have it - 1)
//   score = alignment * polarity * permanence * novelty * divergence, each within 0..1:
//     alignment   (1 - intent_weight) * cosine to the query
//                 + intent_weight * cosine to the intention
//     polarity    rarity of the name, half the rarity of the word, or that of the relationship
//     novelty     1 - the greatest cosine to a node of the front's path
//     divergence  1 - the greatest cosine to the node of another front
// Every cosine c counts as (c - mean) / (10 * deviation) within 0..1, each on its own scale.
//
// Names and words of the question lead nowhere, and neither does a node without a vector, an
// archived or superseded memory, or a narrative that an exploration has written. Relationships are
// walked only where no name or word leads on.
//
// $walk is one map, so that one plan serves lists of any length: fronts (key, node, value, path,
// others), visited (element ids), vectors (by element id, of nodes without one of their own),
// query, intention, scales (of query, intention and texts), asked_words, asked_stems, now (of each
// clock), valid_at.
//
// Parameters: $realm, $settings, $walk
// Returns: key (of the front), count (places it can go), best (the first of them)
// Access: read

CYPHER 25
// 1. The node of each front, and the vectors that its next one is compared with.
UNWIND $walk.fronts AS front
MATCH (here) WHERE elementId(here) = front.node AND here.realm = $realm
CALL (front) {
  UNWIND front.path AS element_id
  MATCH (node) WHERE elementId(node) = element_id
  LET size = vector_dimension_count($walk.query)
  RETURN collect(coalesce(vector(node.embedding, size, FLOAT32), $walk.vectors[element_id]))
         AS path_vectors
}
CALL (front) {
  UNWIND front.others AS element_id
  MATCH (node) WHERE elementId(node) = element_id
  LET size = vector_dimension_count($walk.query)
  RETURN collect(coalesce(vector(node.embedding, size, FLOAT32), $walk.vectors[element_id]))
         AS other_vectors
}
// 2. Ways over names, rare words and relationships: far, polarity, permanence, name, word, way.
CALL (here, front) {
  CALL (here) {
    MATCH (here)-[:MENTIONS]->(over:Name)
    WHERE 1 < over.memory_count <= $settings.name_limit
      AND none(word IN split(over.key, ' ') WHERE word IN $walk.asked_words)
    MATCH (over)<-[tie:MENTIONS|ABOUT]-(far:Memory)
    LET rarity = 1 / sqrt(over.memory_count - 1.0)
    RETURN far, rarity AS polarity, 1.0 AS permanence, 0.0 AS word,
           rarity * CASE WHEN tie:ABOUT THEN 0.5 ELSE 0.3 END AS name,
           {type: 'NAME', over: over.key, forward: true} AS way
  UNION ALL
    MATCH (here)-[:HAS_TERM]->(over:Term)
    WHERE 1 < over.memory_count <= $settings.word_limit AND NOT over.stem IN $walk.asked_stems
    // Names of the far ones are read only where the word is part of a name here.
    LET rarity = 1 / sqrt(over.memory_count - 1.0),
        in_own_names = EXISTS { (here)-[:MENTIONS]->(own:Name)
            WHERE any(part IN split(own.key, ' ') WHERE part STARTS WITH over.stem) }
    MATCH (over)<-[:HAS_TERM]-(far:Memory)
    LET in_names = CASE WHEN in_own_names THEN EXISTS { (far)-[:MENTIONS]->(its:Name)
            WHERE any(part IN split(its.key, ' ') WHERE part STARTS WITH over.stem) }
          ELSE false END
    RETURN far, 0.5 * rarity AS polarity, 1.0 AS permanence,
           rarity * CASE WHEN in_names THEN 0.3 ELSE 0.1 END AS word, 0.0 AS name,
           {type: 'WORD', over: over.stem, forward: true} AS way
  UNION ALL
    MATCH (here)-[link:LINK|RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS|SIMILAR
              |SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME|ATTEMPTED|SAID|CAUSES|PROMPTS
              |DESCRIBES|CONCERNS]-(far)
    LET forward = startNode(link) = here
    FILTER far <> here AND (forward OR NOT $settings.directed)
    LET pair = CASE WHEN link.polarity IS :: LIST<ANY> NOT NULL THEN link.polarity
          WHEN link.polarity IS NOT NULL THEN [link.polarity, link.polarity]
          WHEN link:CAUSES THEN [0.9, 0.3]
          WHEN link:SAID THEN [0.5, 0.1]
          WHEN NOT link:LINK AND 0 <= coalesce(link.strength, link.weight) <= 1
            THEN [coalesce(link.strength, link.weight), coalesce(link.strength, link.weight)]
          ELSE [0.5, 0.5] END
    RETURN far,
           coll.max([0.0, coll.min([1.0, pair[CASE WHEN forward THEN 0 ELSE 1 END]])]) AS polarity,
           1 - coll.max([0.0, coll.min([1.0,
             coalesce(link.permanence, CASE WHEN link:LINK THEN 0.5 ELSE 0.0 END)])]) AS permanence,
           0.0 AS word, 0.0 AS name,
           {type: type(link), over: coalesce(link.synthesis, ''), forward: forward,
            link: coalesce(link.id, link.edge_id), element_id: elementId(link)} AS way
    LIMIT $settings.max_links
  }
// 3. Nodes that may be walked to, each with its ways, the best first.
  WITH front, far, polarity, permanence, name, word, way
  ORDER BY polarity DESC, way.over, way.element_id
  WITH front, far, max(name) AS name, max(word) AS word,
       collect({polarity: polarity, permanence: permanence, name: name, word: word, way: way})
         AS ways
  FILTER NOT elementId(far) IN $walk.visited
    AND NOT (far:Narrative AND far.created_by IS NOT NULL)
    AND (NOT far:Memory OR CASE WHEN far.kind = 'text' THEN far.indexed
        AND coalesce(far.archive_at, far.archived_at) > $walk.now[far.clock]
        AND (far.valid_from IS NULL OR far.valid_from <= $walk.valid_at)
        AND (far.valid_to IS NULL OR far.valid_to > $walk.valid_at)
      ELSE far.state = 'live' END)
  LET shares = name + word > 0
  LET way = [each IN ways WHERE NOT shares OR each.name + each.word > 0][0]
  LET lift = front.value * CASE WHEN shares THEN name + word ELSE 0.1 * way.polarity END
  RETURN far, shares, way, lift,
         [each IN ways WHERE each.name + each.word > 0 | each.way][..3] AS shared
}
// 4. The five factors; what is lifted or aligned too little is left out before it is compared
//    with anything else.
FILTER lift >= $settings.least_lift OR NOT here:Memory
LET vector_size = vector_dimension_count($walk.query)
LET own_vector =
      coalesce(vector(far.embedding, vector_size, FLOAT32), $walk.vectors[elementId(far)])
FILTER own_vector IS NOT NULL
LET query_cosine = round(1 - vector_distance(own_vector, $walk.query, COSINE), 6),
    intention_cosine = round(1 - vector_distance(own_vector, $walk.intention, COSINE), 6)
LET to_query = (query_cosine - $walk.scales.query[0]) / (10 * $walk.scales.query[1]),
    to_intention =
      (intention_cosine - $walk.scales.intention[0]) / (10 * $walk.scales.intention[1])
LET query_value = coll.max([0.0, coll.min([1.0, to_query])]),
    intention_value = coll.max([0.0, coll.min([1.0, to_intention])])
LET alignment = (1 - $settings.intent_weight) * query_value
      + $settings.intent_weight * intention_value
FILTER alignment >= $settings.least_alignment
LET path_cosine = round(1 - coll.min([each IN path_vectors |
      vector_distance(own_vector, each, COSINE)]), 6),
    other_cosine = round(1 - coll.min([each IN other_vectors |
      vector_distance(own_vector, each, COSINE)]), 6)
LET to_path = (path_cosine - $walk.scales.texts[0]) / (10 * $walk.scales.texts[1]),
    to_others = (other_cosine - $walk.scales.texts[0]) / (10 * $walk.scales.texts[1])
LET factors = {
      alignment: alignment,
      polarity: way.polarity,
      permanence: way.permanence,
      novelty: 1 - coll.max([0.0, coll.min([1.0, coalesce(to_path, 0.0)])]),
      divergence: 1 - coll.max([0.0, coll.min([1.0, coalesce(to_others, 0.0)])])}
// 5. The best, over relationships only where no name or word leads on.
LET score = factors.alignment * factors.polarity * factors.permanence * factors.novelty
      * factors.divergence
WITH front, far, shares, way, shared, lift, factors, score, query_cosine, query_value,
     intention_value
ORDER BY shares DESC, round(score, 9) DESC, far.id
WITH front, collect({
       shares: shares,
       node: far {element_id: elementId(far), .id, .energy, .weight, .permanence,
         labels: labels(far), name: coalesce(far.name, far.caption, far.id),
         content: coalesce(far.content, far.text, ''),
         at: far.first_seen, line: far.speaker IS NOT NULL},
       way: way.way, shared: shared, lift: lift, factors: factors, score: score,
       query_cosine: query_cosine, query_value: query_value, intention_value: intention_value
     }) AS candidates
LET leading = [each IN candidates WHERE each.shares = candidates[0].shares]
RETURN front.key AS key, size(leading) AS count, leading[..$settings.shown] AS best
