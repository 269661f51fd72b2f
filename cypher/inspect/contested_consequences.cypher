// The consequences that are the top choice of most intents, with the intents that claim them.
//
// Parameters: $realm, $session_id
// Returns: line (line of the consequence), text (text of the consequence),
//   bid_count (intents whose top choice it is), fanout (intents that claim it),
//   strong (strong ones of these), claimed_by (captions of these)
// Access: read

:param realm => 'demo';
:param session_id => COLLECT { MATCH (s0:Session {realm: 'demo'}) WHERE s0.recorded_at IS NOT NULL RETURN s0.id ORDER BY s0.recorded_at DESC LIMIT 1 }[0];

CYPHER 25
MATCH (consequence:Consequence {realm: $realm, session_id: $session_id})
WHERE consequence.anchor_index IS NOT NULL AND consequence.bid_count > 1
MATCH (intent:Intent)-[:CAUSES]->(consequence)
WITH consequence, intent
ORDER BY intent.anchor_index
WITH consequence, count(intent) AS fanout, collect(intent.caption) AS claimed_by,
     sum(CASE intent.strength WHEN 'strong' THEN 1 ELSE 0 END) AS strong
RETURN consequence.anchor_index AS line, consequence.text AS text,
       consequence.bid_count AS bid_count, fanout, strong, claimed_by
ORDER BY bid_count DESC, line
LIMIT 10
