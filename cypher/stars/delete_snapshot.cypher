// Deletes the snapshot of an earlier catch-up.
//
// Parameters: $settings, $realm
// Returns: nothing
// Access: batch

CYPHER 25
MATCH (copy:KeptStar|KeptConnection) WHERE copy.realm = $realm AND copy.id IS NOT NULL
CALL (copy) {
  DELETE copy
} IN TRANSACTIONS OF $settings.close_rows ROWS
