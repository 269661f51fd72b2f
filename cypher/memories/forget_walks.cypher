// Takes memories that are about to be forgotten out of the runs of explorations.
//
// A run no longer names them. What a walk by the letter has written goes if it has their words.
//
// Parameters: $realm, $now, $ids, $encoded_ids (the same as JSON)
// Returns: narratives (number of those that were deleted)
// Access: write
// Locks: the Run nodes by id; the caller holds the Cursor 'texts'

CYPHER 25
MATCH (run:Run)
WHERE run.realm = $realm AND run.kind = 'exploration' AND run.at IS NOT NULL
  AND any(id IN run.visited WHERE id IN $ids)
WITH run ORDER BY run.id
SET run.locked_at = $now
WITH run, [id IN run.visited WHERE id IN $ids] AS visited_ids
SET run.visited = [id IN run.visited WHERE NOT id IN $ids],
    run.start = CASE WHEN NOT run.start IN $ids THEN run.start END,
    run.changes = reduce(text = run.changes, id IN $encoded_ids |
      replace(text, '"id": ' + id, '"id": "(forgotten)"'))
WITH run, visited_ids
UNWIND visited_ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
  USING INDEX SEEK memory:Memory(realm, id)
UNWIND run.created_ids AS narrative_id
MATCH (narrative:Narrative {realm: $realm, id: narrative_id})
  USING INDEX SEEK narrative:Narrative(realm, id)
WHERE narrative.content CONTAINS rtrim(memory.caption, '…')
  AND NOT EXISTS { (narrative)-[:QUOTES]->() }
WITH collect(DISTINCT narrative) AS removed
FOREACH (narrative IN removed | DETACH DELETE narrative)
RETURN size(removed) AS narratives
