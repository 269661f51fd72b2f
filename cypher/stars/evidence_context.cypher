// Returns for each piece of evidence the state and the records of its pair.
//
// A source counts once in 24 hours for a connection and type; the same evidence counts once ever.
//
// Locks: connections, in the order of $items; the caller has locked their stars
//
// Parameters: $items, $now, $settings, $realm
// Returns: state (state of the connection, or null), recorded (this id is on record), repeated (the
//   source counted within 24 hours), pending (co-mentions that wait), degrees (connections of both
//   stars, or null), constellation_size (connections of the constellation, where a limit counts),
//   archived (last archived connection of the pair)
// Access: write

CYPHER 25
// The pair and its connection.
UNWIND $items AS item
MATCH (lower:Star {realm: $realm, id: item.lower}), (upper:Star {realm: $realm, id: item.upper})
OPTIONAL MATCH (lower)
    -[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(upper)
SET link.locked_at = $now
WITH item, lower, upper, link, duration({hours: $settings.source_hours}) AS apart
// Earlier evidence, the limits for a new connection, and the last connection of the pair.
RETURN link.state AS state,
       EXISTS { (:Evidence {realm: $realm, id: item.id}) } AS recorded,
       EXISTS {
         MATCH (piece:Evidence)
         WHERE piece.realm = $realm AND piece.pair_key = item.pair_key
           AND piece.observed_at > item.observed_at - apart
           AND piece.observed_at < item.observed_at + apart
           AND piece.source = item.source AND piece.type = item.type
           AND (piece.counted OR piece.pending)
       } AS repeated,
       COLLECT {
         MATCH (piece:Evidence)
         WHERE piece.realm = $realm AND piece.pair_key = item.pair_key
           AND piece.observed_at IS NOT NULL AND piece.pending
           AND piece.day > item.day - $settings.candidate_days
         WITH piece ORDER BY piece.recorded_at, piece.id
         RETURN piece {
           .id, .type, .weight, .day, .observed_day, .observed_at, .recorded_at, .source
         }
       } AS pending,
       CASE WHEN link IS NULL THEN [
         COUNT { (lower)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star) },
         COUNT { (upper)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star) }
       ] END AS degrees,
       CASE WHEN coalesce(
           $settings.connections_per_constellation, $settings.half_rate_above) IS NOT NULL
         THEN COUNT {
           MATCH (any:Star)
             -[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]->(:Star)
           WHERE any.realm = $realm AND any.bucket >= 0
             AND any.constellation_id = lower.constellation_id
         } ELSE 0 END AS constellation_size,
       COLLECT {
         MATCH (past:ArchivedConnection)
         WHERE past.realm = $realm AND past.pair_key = item.pair_key
           AND past.archived_at IS NOT NULL
         WITH past ORDER BY past.archived_at DESC LIMIT 1
         RETURN past {.type, .strength, .day, .previous_types}
       } AS archived
ORDER BY item.position
