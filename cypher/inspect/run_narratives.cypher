// The narratives of an exploration: those it visited, and those it created.
//
// Parameters: $realm, $run_id
// Returns: narrative (the narrative itself), name (its name or caption), created (by this run),
//   weight (weight when explorations score it), energy (warmth that explorations left)
// Access: read

:param realm => 'demo';
:param run_id => COLLECT { MATCH (r0:Run {realm: 'demo', kind: 'exploration'}) RETURN r0.id ORDER BY r0.at DESC LIMIT 1 }[0];

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
UNWIND run.visited + coalesce(run.created_ids, []) AS id
MATCH (narrative:Narrative|Memory)
WHERE narrative.realm = $realm AND narrative.id = id
RETURN DISTINCT narrative, coalesce(narrative.name, narrative.caption) AS name,
       id IN coalesce(run.created_ids, []) AS created, narrative.weight AS weight,
       narrative.energy AS energy
