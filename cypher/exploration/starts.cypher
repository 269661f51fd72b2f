// Returns where an exploration can start: what recall found, and the best of every other part.
//
// Other parts are searched by their words in one fulltext index, whose hits of other realms are
// left out before any is chosen. A narrative comes by its vector, and none that an exploration has
// written. The scales are those of this question and this intention: mean and deviation of their
// cosines to the earliest and the latest texts but its best hits. Nodes without a vector, among the
// starts and up to two steps from them, come with their texts, so that they can be embedded.
//
// Parameters: $realm, $settings, $vector, $intention, $ids, $actor, $start, $start_label, $words,
//   $symbols, $earliest
// Returns: actor (node, or null), actor_joined (true if something is joined to it), hits (nodes of
//   the ids with their cosines, each with its place), chosen (nodes with the id $start), others
//   (best node of each other part), cosines (pairs of cosines to a sample of texts), unembedded
//   (element ids and texts)
// Access: read

CYPHER 25
// 1. Who asks: actor, actor_joined.
OPTIONAL MATCH (actor:Actor {realm: $realm, id: $actor})
LET actor_joined = EXISTS { (actor)-[:LINK|ATTEMPTED|SAID|CAUSES]-() }
// 2. Hits of recall with their places, and the node to start at: hits, chosen.
CALL () {
  UNWIND range(0, size($ids) - 1) AS place
  MATCH (node:Memory {realm: $realm, id: $ids[place]})
    USING INDEX SEEK node:Memory(realm, id)
  LET size = vector_dimension_count($vector)
  LET own_vector = vector(node.embedding, size, FLOAT32)
  RETURN collect({
    node: node,
    place: place,
    line: node.speaker IS NOT NULL,
    query_cosine: 1 - vector_distance(own_vector, $vector, COSINE),
    intention_cosine: 1 - vector_distance(own_vector, $intention, COSINE)
  }) AS hits
}
CALL () {
  MATCH (node:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
  WHERE node.realm = $realm AND node.id = $start
    AND ($start_label IS NULL OR $start_label IN labels(node))
  RETURN collect(node) AS chosen
}
// 3. The best of every other part: others, each with the part that it was chosen for.
CALL () {
  MATCH (narrative:Narrative)
    SEARCH narrative IN (
      VECTOR INDEX knowledge_embedding FOR $vector
      WHERE narrative.realm = $realm AND narrative.kind = 'narrative'
      LIMIT $settings.gate_probe
    ) SCORE AS similarity
  FILTER narrative.created_by IS NULL
  RETURN collect({node: narrative, part: 'Narrative'})[..$settings.narrative_starts] AS narratives
}
CALL () {
  CALL db.index.fulltext.queryNodes('graph_text', $words) YIELD node, score
  FILTER node.realm = $realm
  WITH node, score,
       [label IN labels(node)
        WHERE label IN ['Star', 'Thing', 'Space', 'Moment', 'Intent', 'Consequence']][0] AS part
  ORDER BY score DESC, node.id
  WITH part, max(score) AS best, collect(node)[0] AS node
  ORDER BY best DESC, part
  RETURN collect({node: node, part: part}) AS word_starts
}
CALL () {
  UNWIND $symbols AS symbol
  MATCH (level:Memory {realm: $realm, symbol: symbol})
  WHERE level.bucket IS NOT NULL AND level.state = 'live'
  WITH level ORDER BY level.strength DESC, level.id LIMIT 1
  RETURN collect({node: level, part: 'MarketLevel'}) AS levels
}
LET others = narratives + word_starts + levels
// 4. A sample of texts that are no likely answers, for the scales: cosines.
CALL () {
  CALL () {
    MATCH (memory:Memory)
      USING INDEX SEEK memory:Memory(realm, kind, first_seen, id)
    WHERE memory.realm = $realm AND memory.kind = 'text' AND memory.id IS NOT NULL
      AND memory.first_seen >= datetime($earliest)
    RETURN memory
    ORDER BY memory.realm, memory.kind, memory.first_seen, memory.id
    LIMIT $settings.scale_sample
  UNION
    MATCH (memory:Memory)
      USING INDEX SEEK memory:Memory(realm, kind, first_seen, id)
    WHERE memory.realm = $realm AND memory.kind = 'text' AND memory.id IS NOT NULL
      AND memory.first_seen >= datetime($earliest)
    RETURN memory
    ORDER BY memory.realm DESC, memory.kind DESC, memory.first_seen DESC, memory.id DESC
    LIMIT $settings.scale_sample
  }
  FILTER memory.embedding IS NOT NULL AND memory.indexed
    AND NOT memory.id IN $ids[..$settings.starts]
  LET size = vector_dimension_count($vector)
  LET own_vector = vector(memory.embedding, size, FLOAT32)
  RETURN collect([1 - vector_distance(own_vector, $vector, COSINE),
                  1 - vector_distance(own_vector, $intention, COSINE)]) AS cosines
}
// 5. What has no vector, among the starts and up to two steps from them: unembedded.
CALL (actor, actor_joined, others, chosen) {
  UNWIND CASE WHEN actor_joined THEN [actor] ELSE [] END + chosen
    + [other IN others | other.node] AS near
  MATCH (near)
    -[:LINK|RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS
      |ATTEMPTED|CAUSES|PROMPTS
              |DESCRIBES|CONCERNS]-{0,2}
    (node:Actor|Moment|Narrative|Space|Thing|Star|Intent|Consequence)
  WHERE node.embedding IS NULL
  WITH DISTINCT node ORDER BY elementId(node) LIMIT $settings.embedded_at_once
  RETURN collect({element_id: elementId(node),
    text: coalesce(node.synthesis, node.content, node.text, node.name, node.caption)}) AS unembedded
}
// 6. Nodes as the walk reads them: found, named, best.
CALL (hits) {
  UNWIND hits AS hit
  LET node = hit.node
  RETURN collect(node {element_id: elementId(node), .id, .energy, .weight, .permanence,
    labels: labels(node), name: coalesce(node.caption, node.id), content: node.text,
    place: hit.place, line: hit.line, at: node.first_seen,
    query_cosine: hit.query_cosine, intention_cosine: hit.intention_cosine}) AS found
}
CALL (chosen) {
  UNWIND chosen AS node
  LET own_vector = vector(node.embedding, vector_dimension_count($vector), FLOAT32)
  RETURN collect(node {element_id: elementId(node), .id, .energy, .weight, .permanence,
    labels: labels(node), name: coalesce(node.name, node.caption, node.id),
    content: coalesce(node.content, node.text, ''), line: node.speaker IS NOT NULL,
    at: node.first_seen,
    query_cosine: 1 - vector_distance(own_vector, $vector, COSINE),
    intention_cosine: 1 - vector_distance(own_vector, $intention, COSINE)}) AS named
}
CALL (others) {
  UNWIND others AS other
  LET node = other.node
  LET own_vector = vector(node.embedding, vector_dimension_count($vector), FLOAT32)
  RETURN collect(node {element_id: elementId(node), .id, .energy, .weight, .permanence,
    labels: labels(node), part: other.part, name: coalesce(node.name, node.caption, node.id),
    content: coalesce(node.content, node.text, ''),
    query_cosine: 1 - vector_distance(own_vector, $vector, COSINE),
    intention_cosine: 1 - vector_distance(own_vector, $intention, COSINE)}) AS best
}
RETURN CASE WHEN actor IS NOT NULL THEN actor {element_id: elementId(actor), .id, .energy, .weight,
         .permanence, labels: labels(actor), name: coalesce(actor.name, actor.id),
         content: coalesce(actor.content, '')} END AS actor,
       actor_joined, found AS hits, named AS chosen, best AS others, cosines, unembedded
