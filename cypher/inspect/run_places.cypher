// Where an exploration has been, and everything that joins those places, of whatever kind.
//
// Parameters: $realm, $run_id
// Returns: path, type
// Access: read

:param realm => 'demo';
:param run_id => COLLECT { MATCH (r0:Run {realm: 'demo', kind: 'exploration'}) RETURN r0.id ORDER BY r0.at DESC LIMIT 1 }[0];

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
WITH run.visited + coalesce(run.created_ids, []) AS places
UNWIND places AS place
MATCH (a:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
WHERE a.realm = $realm AND a.id = place
MATCH path = (a)-[r:LINK|RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS|SIMILAR
              |SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME|ATTEMPTED|CAUSES|PROMPTS]->(b)
WHERE b.id IN places
RETURN DISTINCT path, type(r) AS type
