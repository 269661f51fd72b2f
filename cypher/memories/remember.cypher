// Writes text memories; one that is there already is left as it is, unless it had been set aside.
//
// They queue in the order of their arrival, which comes with them: writers do not wait for each other.
// What had no usable vector waits again: the model may be a better one.
//
// Parameters: $realm, $now, $rows
// Returns: told
// Access: write

CYPHER 25
UNWIND $rows AS row
MERGE (m:Memory {realm: $realm, id: row.id})
ON CREATE SET m:Text, m += row.properties, m.created = row.token, m.remembered_at = $now
FOREACH (again IN CASE WHEN m.set_aside IS NOT NULL AND m.digest = row.properties.digest
                       THEN [m] ELSE [] END |
  SET again.waiting = true, again.unembedded = true
  REMOVE again.set_aside)
RETURN collect(m {.id, .digest, .tags, .category, .actor, .session, .speaker, .about, at: m.first_seen,
  lasts: m.tier, created: coalesce(m.created, '') = row.token}) AS told
