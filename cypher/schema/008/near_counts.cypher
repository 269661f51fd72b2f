// Counts the memories that each notes as near it, so that the index of them is complete.
//
// Parameters: none
// Returns: counted
// Access: batch
// Scans: Memory, once
// Realms: all

CYPHER 25
MATCH (m:Memory)
WHERE m.near_duplicates IS NOT NULL AND m.near_count IS NULL
CALL (m) {
  SET m.near_count = size(m.near_duplicates)
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN count(*) AS counted
