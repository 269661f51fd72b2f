// Locks a committed run, and returns its question, its changes and when they were undone.
//
// Parameters: $realm, $run_id, $now
// Returns: changes (undo record, as JSON), undone_at (null if they were not undone), narrative (id
//   of the answer that it gave, or null), actor (who asked), query (question), intention (text),
//   at (time of the run)
// Locks: the Run
// Access: write

CYPHER 25
MATCH (run:Run {realm: $realm, id: $run_id})
WHERE run.kind = 'exploration' AND run.at IS NOT NULL
SET run.locked_at = $now
RETURN run.changes AS changes, run.undone_at AS undone_at, run.narrative AS narrative,
       run.actor AS actor, run.query AS query, run.intention AS intention, run.at AS at
