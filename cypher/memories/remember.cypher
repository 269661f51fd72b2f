// Writes text memories; one that is there already is left exactly as it is.
//
// Parameters: $realm, $now, $rows
// Returns: id, created, same
// Access: write

CYPHER 25
UNWIND $rows AS row
MERGE (m:Memory {realm: $realm, id: row.id})
ON CREATE SET m:Text, m += row.properties, m.created = row.token, m.remembered_at = $now
RETURN m.id AS id, coalesce(m.created, '') = row.token AS created, m.digest = row.properties.digest AS same
