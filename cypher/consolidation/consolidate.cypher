// Consolidates the waiting texts of a small realm that have vectors, without any other program.
//
// It joins what asterism consolidate joins, by kin. A text that is near another one may repeat it,
// which takes rules of language: it waits on, as does a text without a vector. Updates are not
// proposed. Nothing happens while another run is at work, or in a realm of more than 1,000 texts.
//
// Parameters: $realm, $now, $settings, $run, $profile, $moment
// Returns: promoted (number of texts consolidated), edges_created (number of new edges),
//   removed (number of unused edges whose ends found closer ones)
// Access: write
// Locks: the Cursors 'consolidation' and 'texts', then the Memory nodes by id

CYPHER 25
MERGE (cursor:Cursor {realm: $realm, id: 'consolidation'})
ON CREATE SET cursor.promoted_seq = 0, cursor.token = randomUUID()
SET cursor.locked_at = $now
MERGE (turn:Cursor {realm: $realm, id: 'texts'})
SET turn.locked_at = $now
// The realm, its model, and no other run.
WITH cursor
MATCH (realm:Realm {realm: $realm}), (model:EmbeddingModel {realm: $realm})
WHERE NOT EXISTS {
  MATCH (claim:Cursor) WHERE claim.realm = $realm AND claim.id STARTS WITH 'claim:'
    AND claim.lease_until > $moment
}
LET texts = toFloat(realm.text_count), hours = coalesce(realm.active_micros, 0) / 3.6e9
LET most = CASE WHEN texts > 30 THEN texts / 10 ELSE 3.0 END
// Consolidated and waiting texts by id, locked.
CALL (model) {
  MATCH (memory:Memory) WHERE memory.realm = $realm AND memory.promoted_seq >= 0
    AND size(memory.embedding) = model.dimensions
  WITH memory LIMIT 1001
  RETURN memory
UNION
  MATCH (memory:Memory {realm: $realm, waiting: true})
  WHERE size(memory.embedding) = model.dimensions
  WITH memory ORDER BY memory.arrival, memory.id LIMIT 500
  RETURN memory
}
WITH cursor, model, texts, hours, most, memory ORDER BY memory.id
SET memory.locked_at = $now
WITH cursor, model, texts, hours, most, collect(memory) AS memories
WHERE size(memories) <= 1000
// Cosines of each with each.
CALL (memories, model) {
  LET vectors = [memory IN memories | vector(memory.embedding, model.dimensions, FLOAT32)]
  UNWIND range(0, size(vectors) - 1) AS place
  LET own = vectors[place]
  WITH place, [other IN vectors | 1 - vector_distance(own, other, COSINE)] AS cosines
  ORDER BY place
  RETURN collect(cosines) AS every_cosine
}
// Texts that are near an earlier one wait on: the places of all others.
LET least = model.mean + (1 - model.mean) * ($settings.near_duplicate_near - 1e-6)
LET places = [place IN range(0, size(memories) - 1) WHERE memories[place].waiting IS NULL
  OR none(other IN range(0, size(memories) - 1) WHERE other <> place
    AND every_cosine[place][other] >= least
    AND (memories[other].waiting IS NULL
         OR coalesce(memories[other].arrival, 0) < coalesce(memories[place].arrival, 0)
         OR coalesce(memories[other].arrival, 0) = coalesce(memories[place].arrival, 0)
           AND other < place))]
LET chosen = [place IN places | memories[place]],
    matrix = [place IN places | [other IN places | every_cosine[place][other]]],
    total = size(places)
LET fresh = [memory IN chosen WHERE memory.waiting IS NOT NULL]
FILTER size(fresh) > 0
// The scale of the realm, over at most 400 texts.
LET sampled = CASE WHEN total > 400 THEN 400 ELSE total END
LET sample = [number IN range(0, sampled - 1) | number * total / sampled]
CALL (matrix, sample, model) {
  UNWIND sample AS place
  UNWIND sample AS other
  WITH model, matrix[place][other] AS cosine, place, other WHERE place < other
  WITH model, count(*) + 5 AS pairs, sum(cosine) AS sum_of, sum(cosine * cosine) AS squares
  WITH pairs, (sum_of + 5 * model.mean) / pairs AS mean,
       squares + 5 * (model.spread ^ 2 + model.mean ^ 2) AS squares
  RETURN mean, sqrt(CASE WHEN squares / pairs - mean ^ 2 > 0.0001
                         THEN squares / pairs - mean ^ 2 ELSE 0.0001 END) AS deviation
UNION
  WITH model, sample WHERE size(sample) < 2
  RETURN model.mean AS mean, model.spread AS deviation
}
// The scale of each text.
CALL (matrix, sample, mean, deviation, total) {
  UNWIND range(0, total - 1) AS place
  LET others = [other IN sample WHERE other <> place | matrix[place][other]]
  LET count_of = size(others) + 5
  LET own = (reduce(sum = 0.0, cosine IN others | sum + cosine) + 5 * mean) / count_of,
      squares = reduce(sum = 0.0, cosine IN others | sum + cosine * cosine)
                + 5 * (deviation ^ 2 + mean ^ 2)
  LET variance = squares / count_of - own ^ 2
  WITH place, own, sqrt(CASE WHEN variance > 0.0001 THEN variance ELSE 0.0001 END) AS spread
  ORDER BY place
  RETURN collect(own) AS means, collect(spread) AS spreads
}
// What all words of each weigh.
CALL (chosen, texts) {
  UNWIND range(0, size(chosen) - 1) AS place
  LET memory = chosen[place]
  CALL (memory, texts) {
    OPTIONAL MATCH (memory)-[:HAS_TERM]->(term:Term) WHERE 0 < term.memory_count < texts
    RETURN sqrt(sum((log(texts / term.memory_count) / log(texts)) ^ 2)) AS length
  }
  WITH place, length ORDER BY place
  RETURN collect(length) AS lengths
}
// The five most kin of each: bests.
CALL (chosen, texts, most, matrix, means, spreads, lengths, mean, deviation, total) {
  LET ids = [memory IN chosen | memory.id]
  UNWIND range(0, total - 1) AS place
  LET memory = chosen[place]
  CALL (memory, texts, most) {
    OPTIONAL MATCH (memory)-[:HAS_TERM]->(term:Term)<-[:HAS_TERM]-(other:Memory)
    WHERE 1 < term.memory_count <= most AND term.memory_count < texts AND other <> memory
    WITH other, sum((log(texts / term.memory_count) / log(texts)) ^ 2) AS shared
    WHERE other IS NOT NULL
    RETURN collect({id: other.id, shared: shared}) AS sharing
  }
  CALL (ids, place, sharing, matrix, means, spreads, lengths, mean, deviation, total) {
    UNWIND [other IN range(0, total - 1) WHERE other <> place] AS other
    LET cosine = matrix[place][other]
    LET in_realm = (cosine - mean) / deviation,
        of_texts = ((cosine - means[place]) / spreads[place]
                    + (cosine - means[other]) / spreads[other]) / 2,
        shared = coalesce(head([row IN sharing WHERE row.id = ids[other] | row.shared]), 0.0)
    LET words = CASE WHEN shared > 0 AND lengths[place] * lengths[other] > 0
                     THEN shared / (lengths[place] * lengths[other]) ELSE 0.0 END
    LET sum_of_both = CASE WHEN in_realm < of_texts THEN in_realm ELSE of_texts END / 10 + words
    LET kin = CASE WHEN sum_of_both > 1 THEN 1.0 ELSE sum_of_both END
    WITH ids, other, cosine, words, kin
    WHERE kin > 0 AND kin >= $settings.minimum_cosine_for_edge - 1e-9
    ORDER BY round(kin, 12) DESC, round(cosine, 12) DESC, ids[other]
    LIMIT toInteger($settings.edge_degree_cap)
    RETURN collect({other: other, cosine: cosine, words: words, kin: kin}) AS best
  }
  WITH place, best ORDER BY place
  RETURN collect(best) AS bests
}
// Pairs that are among the most kin of both, of which one is new or the realm is small: pairs.
CALL (chosen, bests, total) {
  UNWIND range(0, total - 1) AS place
  UNWIND bests[place] AS best
  LET low = chosen[place], high = chosen[best.other]
  FILTER place < best.other AND any(row IN bests[best.other] WHERE row.other = place)
    AND (total <= 400 OR low.waiting IS NOT NULL OR high.waiting IS NOT NULL)
  RETURN collect({low: low, high: high, pair: low.id + '\u001f' + high.id, cosine: best.cosine,
                  kin: best.kin, words: best.words}) AS pairs
}
// Their scores, with what they shared when the later one came: scored.
CALL (pairs, cursor, model, hours) {
  UNWIND pairs AS pair
  LET low = pair.low, high = pair.high
  LET ordered = CASE WHEN coalesce(low.promoted_seq > high.promoted_seq, low.promoted_seq IS NULL)
                     THEN [low, high] ELSE [high, low] END
  LET later = ordered[0], earlier = ordered[1]
  LET learned = coalesce(later.learned_at_hours, hours),
      together = coalesce(later.promoted_seq <= cursor.rebuilt_last_seq
                            OR later.consolidated_by = earlier.consolidated_by,
                          earlier.promoted_seq IS NULL),
      used = coalesce(earlier.last_reinforced_hours, 0.0)
  LET apart = CASE WHEN together AND $settings.inbatch_hours = 'run' THEN 0.0
                   WHEN together THEN learned
                   WHEN used <= learned THEN learned - used
                   ELSE learned - coalesce(earlier.learned_at_hours, 0.0) END,
      shared = size([tag IN coll.distinct(coalesce(low.tags, []))
                     WHERE tag IN coalesce(high.tags, [])]),
      every_tag = size(coll.distinct(coalesce(low.tags, []) + coalesce(high.tags, [])))
  LET parts = {
    kin: pair.kin, words: pair.words,
    cosine: CASE WHEN model.mean = 0 THEN pair.cosine WHEN pair.cosine > model.mean
                 THEN (pair.cosine - model.mean) / (1 - model.mean) ELSE 0.0 END,
    from_cosine: $settings.weight_cosine * pair.kin,
    from_tags: CASE WHEN shared > 0 THEN $settings.weight_tags * shared / every_tag ELSE 0.0 END,
    from_category: $settings.weight_category
      * CASE WHEN coalesce(low.category, '') = coalesce(high.category, '') THEN 1.0
             ELSE $settings.cross_category_score END,
    from_hours: $settings.weight_hours
      * exp(-apart * apart / (2 * $settings.temporal_sigma_hours ^ 2))}
  LET weight = parts.from_cosine + parts.from_tags + parts.from_category + parts.from_hours
  FILTER weight >= $settings.edge_score_threshold - 1e-9
  RETURN collect({low: low, high: high, pair: pair.pair, parts: parts, weight: weight}) AS scored
}
// Edges that nobody used and whose ends found closer ones, where all pairs are compared: removed.
CALL (chosen, pairs, total) {
  LET joined = [pair IN pairs | pair.pair]
  UNWIND CASE WHEN total <= 400 THEN chosen ELSE [] END AS low
  MATCH (low)-[edge:SIMILAR]->(high:Memory)
  WHERE high IN chosen AND coalesce(edge.reinforcement_count, 0) = 0
    AND NOT low.id + '\u001f' + high.id IN joined
  DELETE edge
  RETURN count(*) AS removed
}
// Edges, their ids in the order of their pairs: created.
CALL (scored, hours) {
  UNWIND scored AS row
  LET low = row.low, high = row.high
  MERGE (low)-[edge:SIMILAR {realm: $realm}]->(high)
  ON CREATE SET edge += row.parts, edge.weight = row.weight, edge.edge_id = row.pair,
                edge.origin = 'similarity', edge.run = $run, edge.written_by = $run,
                edge.hours = hours, edge.profile = $profile, edge.created_at = $now,
                edge.reinforcement_count = 0, edge.last_reinforced_hours = hours
  RETURN sum(CASE WHEN edge.run = $run THEN 1 ELSE 0 END) AS edges_created
}
// The scales, and the places of the new ones in order of arrival.
CALL (chosen, means, spreads, total) {
  UNWIND range(0, total - 1) AS place
  LET memory = chosen[place]
  SET memory.cosine_mean = means[place], memory.cosine_deviation = spreads[place]
  RETURN count(*) AS measured
}
SET model.text_mean = mean, model.text_deviation = deviation, model.text_measured = total
CALL (fresh) {
  UNWIND fresh AS memory
  WITH memory ORDER BY memory.arrival, memory.id
  RETURN collect(memory) AS arrived
}
LET before = cursor.promoted_seq, promoted = size(arrived)
CALL (arrived, before, hours) {
  UNWIND range(0, size(arrived) - 1) AS place
  LET memory = arrived[place]
  SET memory.promoted_seq = before + place + 1, memory.promoted_at = $now,
      memory.consolidated_by = $run, memory.learned_at_hours = hours,
      memory.last_reinforced_hours = hours
  REMOVE memory.waiting, memory.claimed_by
  RETURN count(*) AS placed
}
SET cursor.promoted_seq = before + promoted, cursor.run = $run
CREATE (:Run {
  realm: $realm, id: $run, kind: 'consolidation', path: 'cypher', model: model.name,
  caption: 'consolidation: ' + promoted + ' memories, ' + edges_created + ' edges',
  started_at: $now, finished_at: $now, promoted: promoted, promoted_from: before + 1,
  promoted_to: before + promoted, edges_created: edges_created, displaced: removed,
  hours: hours, profile: $profile, profile_name: $settings.profile})
RETURN promoted, edges_created, removed
