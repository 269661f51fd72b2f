// Drops what was kept before an earlier catch-up.
//
// Parameters: $settings, $realm
// Returns: dropped
// Access: batch

CYPHER 25
MATCH (kept:KeptStar|KeptConnection) WHERE kept.realm = $realm AND kept.id IS NOT NULL
CALL (kept) {
  DELETE kept
} IN TRANSACTIONS OF $settings.close_rows ROWS
RETURN count(kept) AS dropped
