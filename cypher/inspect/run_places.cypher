// The nodes that an exploration visited, and every relationship between them.
//
// Parameters: $realm, $run_id
// Returns: path (relationship with both ends), type (of the relationship)
// Access: read

:param realm => 'demo';
:param run_id => COLLECT { MATCH (r0:Run {realm: 'demo', kind: 'exploration'}) RETURN r0.id ORDER BY r0.at DESC LIMIT 1 }[0];

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
WITH run.visited + coalesce(run.created_ids, []) AS places
UNWIND places AS place
MATCH (node:Actor|Moment|Narrative|Space|Thing|Star|Memory|Intent|Consequence)
WHERE node.realm = $realm AND node.id = place
MATCH path = (node)-[link:LINK|RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS|SIMILAR
              |SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME|ATTEMPTED|SAID|CAUSES
              |PROMPTS]->(other)
WHERE other.id IN places
RETURN DISTINCT path, type(link) AS type
