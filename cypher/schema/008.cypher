// Indexes pairs and duplicates, keeps days of the stars, and renews what older versions wrote.
//
// Parameters: none
// Returns: nothing
// Access: schema
// Scans: Memory and Cursor, once
// Realms: all

CYPHER 25

// candidate_high: finds pairs that came up together by the greater id.
CREATE INDEX candidate_high IF NOT EXISTS
FOR (n:Candidate) ON (n.realm, n.high);

// candidate_low: finds pairs that came up together by the lesser id.
CREATE INDEX candidate_low IF NOT EXISTS
FOR (n:Candidate) ON (n.realm, n.low);

// kept_connection_id: one KeptConnection per id in a realm.
CREATE CONSTRAINT kept_connection_id IF NOT EXISTS
FOR (n:KeptConnection) REQUIRE (n.realm, n.id) IS UNIQUE;

// kept_star_id: one KeptStar per id in a realm.
CREATE CONSTRAINT kept_star_id IF NOT EXISTS
FOR (n:KeptStar) REQUIRE (n.realm, n.id) IS UNIQUE;

// memory_near: finds memories that note others as near them.
CREATE INDEX memory_near IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.near_count);

// memory_repeated: finds what repeats a memory.
CREATE INDEX memory_repeated IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.duplicate_of);

// near_counts: counts the near duplicates of each memory, so that the index of them is complete.
MATCH (m:Memory)
WHERE m.near_duplicates IS NOT NULL AND m.near_count IS NULL
CALL (m) {
  SET m.near_count = size(m.near_duplicates)
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;

// text_places: removes the places of texts: a text is locked by its own node.
MATCH (place:Cursor)
WHERE place.id STARTS WITH 'place:text '
CALL (place) {
  DELETE place
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;
