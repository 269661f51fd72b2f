// Lists the consolidated memories with what may change of them: last use, cosines, tags.
//
// Lists in one row: a hundred thousand rows would be read from the wire one by one.
//
// Parameters: $realm, $last_seq
// Returns: numbers (numbers of the memories in order), hours (-1 where there is no reading),
//   means (of the cosines of each with other texts, or -1), deviations (of the same, or -1),
//   retagged (numbers and tags)
// Access: read

CYPHER 25
MATCH (memory:Memory)
WHERE memory.realm = $realm AND memory.promoted_seq <= $last_seq
WITH memory, memory.promoted_seq AS number,
     coalesce(memory.last_reinforced_hours, -1.0) AS last_use,
     coalesce(memory.cosine_mean, -1.0) AS mean,
     coalesce(memory.cosine_deviation, -1.0) AS deviation
ORDER BY number
RETURN collect(number) AS numbers, collect(last_use) AS hours, collect(mean) AS means,
       collect(deviation) AS deviations,
       collect(CASE WHEN memory.retagged THEN {number: number, tags: memory.tags} END) AS retagged
