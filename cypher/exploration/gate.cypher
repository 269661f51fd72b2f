// Takes the realm's gate: whoever may create narratives compares them one after the other.
//
// Parameters: $realm, $now
// Returns: locked_at
// Access: write

CYPHER 25
MERGE (gate:Cursor {realm: $realm, id: 'exploration/gate'})
SET gate.locked_at = $now
RETURN gate.locked_at AS locked_at
