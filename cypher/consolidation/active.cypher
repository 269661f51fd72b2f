// Which consolidated memories there are, the active hours of their last use, and tags added later.
//
// Two lists in one row: a hundred thousand rows would be read from the wire one by one.
//
// Parameters: $realm, $upto
// Returns: numbers, hours, retagged
// Access: read

CYPHER 25
MATCH (m:Memory)
WHERE m.realm = $realm AND m.promoted_seq <= $upto
WITH m, m.promoted_seq AS number, coalesce(m.last_reinforced_hours, -1.0) AS used ORDER BY number
RETURN collect(number) AS numbers, collect(used) AS hours,
       collect(CASE WHEN m.retagged THEN {number: number, tags: m.tags} END) AS retagged
