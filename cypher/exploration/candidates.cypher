// What every SubEntity can take from where it stands: one row each, its links scored and sorted.
//
// $walk is one map, so that one plan serves lists of any length: fronts, vectors, query, intention,
// basis, mean, floor, shown. A front stands on `element`, or for the first tick on `start` (an id).
// It brings the links it has walked (skipped), and which of the vectors are its path and its active
// siblings. Every cosine is lifted to the model's zero: mean 0 and floor -1 leave it as it is. They
// are rounded: the server counts in 32 bits, and that noise should break no tie. With more than
// max_links links only those nearest to the query are scored. Vectors come back for the first
// `take` only: `nodes` are where the picks lead, and on the first tick the start before them.
//
// Parameters: $realm, $settings, $walk
// Returns: key, count, truncated, nodes, shown, picks
// Access: read

CYPHER 25
UNWIND $walk.fronts AS front
CALL (front) {
  UNWIND front.element AS element MATCH (n) WHERE elementId(n) = element RETURN n
UNION ALL
  MATCH (n:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
  WHERE n.realm = $realm AND n.id = front.start AND (front.label IS NULL OR front.label IN labels(n))
  RETURN n
}
CALL (front, n) {
  MATCH (n)-[r:LINK|RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS|SIMILAR|SUPPORTS
            |CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME|ATTEMPTED|CAUSES|PROMPTS]-(far)
  WHERE far <> n AND NOT elementId(r) IN front.walked
    AND (NOT $settings.directed OR startNode(r) = n)
  LET forward = startNode(r) = n,
      v = vector(coalesce(r.embedding, far.embedding), vector_dimension_count($walk.query), FLOAT32)
  LET cq = round(1 - vector_distance(v, $walk.query, COSINE), 6),
      id = coalesce(r.id, r.edge_id, startNode(r).id + ' ' + type(r) + ' ' + endNode(r).id)
  ORDER BY coalesce(cq, 0.0) DESC, id LIMIT $settings.max_links + 1
  WITH collect({r: r, far: far, forward: forward, v: v, cq: cq, id: id}) AS links
  UNWIND [null] + links[..$settings.max_links] AS c
  WITH links, c, c.r AS r, c.v AS v,
       round(1 - vector_distance(c.v, $walk.intention, COSINE), 6) AS ci,
       reduce(s = 1.0, u IN $walk.basis | s - (1 - vector_distance(c.v, u, COSINE)) ^ 2) AS rest,
       round(1 - coll.min([x IN front.path | vector_distance(c.v, $walk.vectors[x], COSINE)]), 6) AS near,
       round(1 - coll.min([x IN front.siblings | vector_distance(c.v, $walk.vectors[x], COSINE)]), 6) AS beside
  LET cosines = [x IN [c.cq, ci, near, beside / sqrt(coll.max([1e-12, rest]))] |
        coll.max([$walk.floor, (x - $walk.mean) / (1 - $walk.mean)])],
      pair = CASE WHEN r.polarity IS :: LIST<ANY> NOT NULL THEN r.polarity
        WHEN r.polarity IS NOT NULL THEN [r.polarity, r.polarity]
        WHEN r:CAUSES THEN [0.9, 0.3]
        WHEN NOT r:LINK AND 0 <= coalesce(r.strength, r.weight) <= 1
          THEN [coalesce(r.strength, r.weight), coalesce(r.strength, r.weight)]
        ELSE [0.5, 0.5] END,
      permanence = coalesce(r.permanence,
        CASE WHEN r:LINK THEN 1 - 1 / (1.0 + coalesce(r.weight, 1.0)) ELSE 0.0 END)
  LET factors = [x IN [
        CASE WHEN v IS NULL THEN 0.5
          ELSE cosines[0] + $settings.intent_weight * (cosines[1] - cosines[0]) END,
        pair[CASE WHEN c.forward THEN 0 ELSE 1 END], 1 - permanence,
        1 - coll.max([0.0, coalesce(cosines[2], 0.0)]), 1 - coll.max([0.0, coalesce(cosines[3], 0.0)])] | coll.max([0.0, coll.min([1.0, x])])]
  LET score = reduce(product = 1.0, x IN factors | product * x)
  ORDER BY round(score, 9) DESC, c.id
  RETURN size(links) > $settings.max_links AS truncated,
         collect(CASE WHEN c IS NULL THEN null ELSE c {.*, score: score, factors: factors,
           permanence: permanence, pair: pair} END) AS ranked
}
CALL (front, n, ranked) {
  UNWIND CASE WHEN front.start IS NULL THEN [] ELSE [n] END + [c IN ranked[..front.take] | c.far] AS x
  RETURN collect(x {element: elementId(x), .id, .embedding, .weight, .energy, .permanence,
    labels: labels(x), name: coalesce(x.name, x.caption, x.id),
    content: left(trim(coalesce(x.content, x.text, '')), 301)}) AS nodes
}
RETURN front.key AS key, size(ranked) AS count, truncated, nodes,
       [c IN ranked[..$walk.shown] | c {.id, .score, .factors, type: type(c.r), node: c.far.id,
         name: coalesce(c.far.name, c.far.caption, c.far.id)}] AS shown,
       [c IN ranked[..front.take] | c {.id, .score, .factors, .forward, .pair, .permanence,
         element: elementId(c.r), type: type(c.r), weight: coalesce(c.r.weight, 1.0), hierarchy: coalesce(c.r.hierarchy, 0.0),
         vector: coalesce(c.r.embedding, c.far.embedding), own: c.r.embedding IS NOT NULL,
         emotions: [c.r.joy_sadness, c.r.trust_disgust, c.r.fear_anger, c.r.surprise_anticipation]}] AS picks
