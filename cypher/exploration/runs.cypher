// Returns the latest explorations, newest first.
//
// Parameters: $realm, $limit
// Returns: id (of the run), actor (who asked), query (text), intention (text), outcome (of the
//   walk), satisfaction (of the root), subentities (count), hops (count), reads (count),
//   found (existing narratives), created (narratives), reused (narratives), at (time of the
//   commit), undone_at (null if it was not undone)
// Access: read

CYPHER 25
MATCH (run:Run)
WHERE run.realm = $realm AND run.kind = 'exploration' AND run.at IS NOT NULL
RETURN run.id AS id, run.actor AS actor, run.query AS query, run.intention AS intention,
       run.outcome AS outcome, run.satisfaction AS satisfaction, run.subentities AS subentities,
       run.hops AS hops, run.reads AS reads, run.found AS found, run.created AS created,
       run.reused AS reused, run.at AS at, run.undone_at AS undone_at
ORDER BY run.at DESC, run.id
LIMIT $limit
