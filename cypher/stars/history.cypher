// Returns the changes between two stars with their rules, first to last.
//
// Parameters: $pair_key, $realm
// Returns: at (time), day (epoch day), field (state or type), before (state or type before), after
//   (state or type after), strength (strength at that time), rule (rule that made the change)
// Access: read

CYPHER 25
MATCH (change:ConnectionChange)
WHERE change.realm = $realm AND change.pair_key = $pair_key AND change.day IS NOT NULL
RETURN change.at AS at, change.day AS day, change.field AS field, change.`from` AS before,
       change.to AS after, change.strength AS strength, change.rule AS rule
ORDER BY at, field
