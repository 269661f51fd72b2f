// Drops staged pairs over the limit: those seen least and longest ago.
//
// Parameters: $realm, $now, $settings
// Returns: evicted (number of staged pairs dropped)
// Access: write

CYPHER 25
MERGE (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.locked_at = $now
WITH texts
MATCH (candidate:Candidate)
WHERE candidate.realm = $realm AND candidate.id STARTS WITH 'together:'
WITH candidate ORDER BY candidate.count, candidate.seen_at, candidate.id
WITH collect(candidate) AS candidates
WITH CASE WHEN size(candidates) > $settings.co_occurs_staged
       THEN candidates[..size(candidates) - toInteger($settings.co_occurs_staged * 0.9)]
       ELSE [] END AS surplus
FOREACH (candidate IN surplus | DETACH DELETE candidate)
RETURN size(surplus) AS evicted
