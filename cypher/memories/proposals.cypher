// Lists proposals of a state, those of the greatest confidence first, or the one with an id.
//
// What supersedes its earlier text already is no open proposal, whoever said so.
//
// Parameters: $realm, $state, $proposal, $limit
// Returns: proposal (properties of the relationship), new_id (id of the later memory),
//   new_text (its text), old_id (id of the earlier memory), old_text (its text),
//   successors (ids of what supersedes the earlier one, the latest last, each with true
//   if it is from after the later memory)
// Access: read

CYPHER 25
MATCH (later:Memory)-[update:MAY_UPDATE]->(earlier:Memory)
WHERE update.realm = $realm AND update.proposal IS NOT NULL
  AND ($proposal IS NULL OR update.proposal = $proposal)
  AND ($state IS NULL OR update.state = $state)
  AND ($state IS NULL OR $state <> 'open'
    OR NOT EXISTS { (later)-[:SUPERSEDES]->+(earlier) })
WITH later, update, earlier
ORDER BY update.confidence DESC, update.proposal LIMIT $limit
RETURN update {.*} AS proposal,
       later.id AS new_id,
       later.text AS new_text,
       earlier.id AS old_id,
       earlier.text AS old_text,
       COLLECT {
         MATCH steps = (earlier)<-[:SUPERSEDES]-+(successor:Memory)
         RETURN [successor.id, successor.first_seen > later.first_seen] ORDER BY length(steps)
       } AS successors
