// Returns the links that each walker can take from its node, scored and sorted: one row a walker.
//
// score = alignment · polarity · permanence · novelty · divergence, each within 0..1:
//   alignment  (1 - intent_weight) · cosine to the query + intent_weight · cosine to the intention,
//              0.5 for a link without a vector
//   polarity   the link's polarity in the direction of the walk
//   permanence 1 - the link's permanence
//   novelty    1 - the greatest cosine to a link of the walker's path
//   divergence 1 - the greatest cosine to the focus of an active sibling
// The vector of a link is its own, else that of the far node. A cosine is calibrated:
//   greatest of lowest_cosine and (cosine - baseline_cosine) / (1 - baseline_cosine),
// where a baseline of 0 and a lowest of -1 leave it as it is. Siblings are compared without the
// part that they share (shared_basis, orthonormal): cosine / √(1 - Σ (cosine to the basis)²).
// Cosines are rounded, because the server computes in 32 bits and noise must not break ties.
//
// $walk is one map, so that one plan serves lists of any length: walkers, vectors, query,
// intention, shared_basis, baseline_cosine, lowest_cosine, sample_size. A walker stands on one of
// `nodes` (an element id), or for the first tick on `start` (an id). It brings the links that it
// has used, and which of the vectors are those of its path and of its active siblings. Vectors
// come back only for its `best` links: `nodes` are their far nodes, after the start if it has one.
//
// Parameters: $realm, $settings, $walk
// Returns: key (of the walker), count (links scored), truncated (true if there were more than
//   max_links), nodes (far nodes of the best links), sample (the first links with score and
//   factors), best (the first links with all their properties)
// Access: read

CYPHER 25
// 1. The node of each walker.
UNWIND $walk.walkers AS walker
CALL (walker) {
  UNWIND walker.nodes AS element_id MATCH (node) WHERE elementId(node) = element_id RETURN node
UNION ALL
  MATCH (node:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
  WHERE node.realm = $realm AND node.id = walker.start
    AND (walker.label IS NULL OR walker.label IN labels(node))
  RETURN node
}
CALL (walker, node) {
// 2. Its links, at most max_links, the nearest to the query first. The null keeps a row for a
//    node without links.
  MATCH (node)-[link:LINK|RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS|SIMILAR
            |SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME|ATTEMPTED|CAUSES|PROMPTS
              |DESCRIBES|CONCERNS]-(far)
  WHERE far <> node AND NOT elementId(link) IN walker.used_links
    AND (NOT $settings.directed OR startNode(link) = node)
  LET forward = startNode(link) = node,
      size = vector_dimension_count($walk.query)
  LET link_vector = vector(coalesce(link.embedding, far.embedding), size, FLOAT32)
  LET query_cosine = round(1 - vector_distance(link_vector, $walk.query, COSINE), 6),
      id = coalesce(link.id, link.edge_id,
        startNode(link).id + ' ' + type(link) + ' ' + endNode(link).id)
  ORDER BY coalesce(query_cosine, 0.0) DESC, id LIMIT $settings.max_links + 1
  WITH collect({link: link, far: far, forward: forward, link_vector: link_vector,
                query_cosine: query_cosine, id: id}) AS links
  UNWIND [null] + links[..$settings.max_links] AS candidate

// 3. Cosines of a link's vector: to the intention, path and siblings, and its unshared part.
  WITH links, candidate, candidate.link AS link, candidate.link_vector AS link_vector
  LET intention_cosine = round(1 - vector_distance(link_vector, $walk.intention, COSINE), 6),
      path_cosine = round(1 - coll.min([at IN walker.path |
        vector_distance(link_vector, $walk.vectors[at], COSINE)]), 6),
      sibling_cosine = round(1 - coll.min([at IN walker.siblings |
        vector_distance(link_vector, $walk.vectors[at], COSINE)]), 6),
      unshared = reduce(rest = 1.0, shared IN $walk.shared_basis |
        rest - (1 - vector_distance(link_vector, shared, COSINE)) ^ 2),
      above = 1 - $walk.baseline_cosine
  LET to_query = coll.max([$walk.lowest_cosine,
        (candidate.query_cosine - $walk.baseline_cosine) / above]),
      to_intention = coll.max([$walk.lowest_cosine,
        (intention_cosine - $walk.baseline_cosine) / above]),
      to_path = coll.max([$walk.lowest_cosine, (path_cosine - $walk.baseline_cosine) / above]),
      to_siblings = coll.max([$walk.lowest_cosine,
        (sibling_cosine / sqrt(coll.max([1e-12, unshared])) - $walk.baseline_cosine) / above])

// 4. Walk properties, by rule for the relationships of other parts, which have none.
  LET polarity = CASE WHEN link.polarity IS :: LIST<ANY> NOT NULL THEN link.polarity
        WHEN link.polarity IS NOT NULL THEN [link.polarity, link.polarity]
        WHEN link:CAUSES THEN [0.9, 0.3]
        WHEN NOT link:LINK AND 0 <= coalesce(link.strength, link.weight) <= 1
          THEN [coalesce(link.strength, link.weight), coalesce(link.strength, link.weight)]
        ELSE [0.5, 0.5] END,
      permanence = coalesce(link.permanence,
        CASE WHEN link:LINK THEN 1 - 1 / (1.0 + coalesce(link.weight, 1.0)) ELSE 0.0 END)

// 5. The five factors, and their product, by which the links are sorted.
  LET alignment = CASE WHEN link_vector IS NULL THEN 0.5
        ELSE to_query + $settings.intent_weight * (to_intention - to_query) END
  LET factors = {
        alignment: coll.max([0.0, coll.min([1.0, alignment])]),
        polarity: coll.max([0.0, coll.min([1.0,
          polarity[CASE WHEN candidate.forward THEN 0 ELSE 1 END]])]),
        permanence: coll.max([0.0, coll.min([1.0, 1 - permanence])]),
        novelty: 1 - coll.max([0.0, coll.min([1.0, coalesce(to_path, 0.0)])]),
        divergence: 1 - coll.max([0.0, coll.min([1.0, coalesce(to_siblings, 0.0)])])}
  LET score = factors.alignment * factors.polarity * factors.permanence * factors.novelty
        * factors.divergence
  ORDER BY round(score, 9) DESC, candidate.id
  RETURN size(links) > $settings.max_links AS truncated,
         collect(CASE WHEN candidate IS NULL THEN null ELSE candidate {.*, score: score,
           factors: factors, polarity: polarity, permanence: permanence} END) AS ranked
}
// 6. The far nodes of the best links, after the start.
CALL (walker, node, ranked) {
  UNWIND CASE WHEN walker.start IS NULL THEN [] ELSE [node] END
    + [candidate IN ranked[..walker.best] | candidate.far] AS end
  LET weight = coalesce(end.weight, 1.0)
  RETURN collect(end {element_id: elementId(end), .id, .embedding, weight: weight,
    energy: coalesce(end.energy, 0.0),
    permanence: coalesce(end.permanence, weight / (weight + 1.0)),
    labels: labels(end), name: coalesce(end.name, end.caption, end.id),
    content: left(trim(coalesce(end.content, end.text, '')), 301)}) AS nodes
}
RETURN walker.key AS key, size(ranked) AS count, truncated, nodes,
       [candidate IN ranked[..$walk.sample_size] | {link: candidate.id,
         type: type(candidate.link), node: candidate.far.id,
         name: coalesce(candidate.far.name, candidate.far.caption, candidate.far.id),
         score: candidate.score, factors: candidate.factors}] AS sample,
       [candidate IN ranked[..walker.best] | candidate {.id, .score, .factors, .forward, .polarity,
         .permanence, element_id: elementId(candidate.link), type: type(candidate.link),
         weight: coalesce(candidate.link.weight, 1.0),
         hierarchy: coalesce(candidate.link.hierarchy, 0.0),
         vector: coalesce(candidate.link.embedding, candidate.far.embedding),
         has_own_vector: candidate.link.embedding IS NOT NULL,
         emotions: [axis IN [candidate.link.joy_sadness, candidate.link.trust_disgust,
           candidate.link.fear_anger, candidate.link.surprise_anticipation] |
           coalesce(axis, 0.0)]}] AS best
