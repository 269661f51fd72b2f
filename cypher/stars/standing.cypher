// What is known about pairs that evidence arrives for, with their connections locked.
//
// A source counts once in a day for a connection and type; the same evidence counts once ever.
//
// Parameters: $items, $settings, $realm
// Returns: position, state, type, start, strength, known, repeated, pending, crowd, gathered,
//   archived
// Access: write

CYPHER 25
UNWIND $items AS item
MATCH (a:Star {realm: $realm, id: item.lower}), (b:Star {realm: $realm, id: item.upper})
OPTIONAL MATCH (a)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(b)
SET r.decayed_day = r.decayed_day
WITH item, a, b, r, duration({hours: $settings.source_hours}) AS apart
RETURN item.position AS position, r.state AS state, type(r) AS type, startNode(r).id AS start,
       r.strength AS strength,
       EXISTS { (:Evidence {realm: $realm, id: item.id}) } AS known,
       EXISTS {
         MATCH (e:Evidence)
         WHERE e.realm = $realm AND e.pair_key = item.pair_key
           AND e.observed_at > item.at - apart AND e.observed_at < item.at + apart
           AND e.source = item.source AND e.type = item.type AND (e.counted OR e.pending)
       } AS repeated,
       COLLECT {
         MATCH (e:Evidence)
         WHERE e.realm = $realm AND e.pair_key = item.pair_key AND e.observed_at IS NOT NULL
           AND e.pending AND e.day > item.day - $settings.candidate_days
         WITH e ORDER BY e.recorded_at, e.id
         RETURN e {.id, .type, .weight, .day, .observed_day, .observed_at, .recorded_at, .source}
       } AS pending,
       CASE WHEN r IS NULL THEN [
         COUNT { (a)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star) },
         COUNT { (b)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star) }
       ] END AS crowd,
       CASE WHEN coalesce($settings.connections_per_constellation, $settings.half_rate_above) IS NOT NULL THEN COUNT {
         MATCH (s:Star)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
         WHERE s.realm = $realm AND s.bucket >= 0 AND s.constellation_id = a.constellation_id
       } ELSE 0 END AS gathered,
       COLLECT {
         MATCH (past:ArchivedConnection)
         WHERE past.realm = $realm AND past.pair_key = item.pair_key AND past.archived_at IS NOT NULL
         WITH past ORDER BY past.archived_at DESC LIMIT 1
         RETURN past {.type, .strength, .day, .prev_types}
       } AS archived
ORDER BY position
