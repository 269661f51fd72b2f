// Why two stars are connected: every piece of evidence, what it gave, and its rank on its day.
//
// Parameters: $pair_key, $realm
// Returns: id, type, source, observed_at, recorded_at, day, counted, fresh, raw_gain, applied_gain,
//   capped, rank
// Access: read

CYPHER 25
MATCH (e:Evidence)
WHERE e.realm = $realm AND e.pair_key = $pair_key AND e.observed_at IS NOT NULL
RETURN e.id AS id, e.type AS type, e.source AS source, e.observed_at AS observed_at,
       e.recorded_at AS recorded_at, e.day AS day, e.counted AS counted,
       coalesce(e.fresh, false) AS fresh, e.raw_gain AS raw_gain, e.applied_gain AS applied_gain,
       coalesce(e.capped, false) AS capped,
       CASE WHEN e.counted THEN 1 + COUNT {
         MATCH (other:Evidence)
         WHERE other.realm = $realm AND other.pair_key = $pair_key
           AND other.observed_at IS NOT NULL AND other.counted AND other.day = e.day
           AND (other.raw_gain > e.raw_gain OR (other.raw_gain = e.raw_gain AND other.id < e.id))
       } END AS rank
ORDER BY recorded_at, id
