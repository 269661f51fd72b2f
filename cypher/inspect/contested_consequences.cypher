// The consequences that most intents wanted, with who got them.
//
// Parameters: $realm, $session_id
// Returns: line, text, bid_count, fanout, strong, claimed_by
// Access: read

:param realm => 'demo';
:param session_id => COLLECT { MATCH (s0:Session {realm: 'demo'}) WHERE s0.recorded_at IS NOT NULL RETURN s0.id ORDER BY s0.recorded_at DESC LIMIT 1 }[0];

CYPHER 25
MATCH (found:Consequence {realm: $realm, session_id: $session_id})
WHERE found.anchor_index IS NOT NULL AND found.bid_count > 1
MATCH (intent:Intent)-[:CAUSES]->(found)
WITH found, intent
ORDER BY intent.anchor_index
WITH found, count(intent) AS fanout, collect(intent.caption) AS claimed_by,
     sum(CASE intent.strength WHEN 'strong' THEN 1 ELSE 0 END) AS strong
RETURN found.anchor_index AS line, found.text AS text, found.bid_count AS bid_count, fanout,
       strong, claimed_by
ORDER BY bid_count DESC, line
LIMIT 10
