// Constraints and indexes of what filters, lists, pinned questions and proposals read.
//
// Parameters: none
// Returns: nothing
// Access: schema
// Scans: every pair that an older version has marked, once
// Realms: all

CYPHER 25

// expectation_id: one Expectation per id in a realm.
CREATE CONSTRAINT expectation_id IF NOT EXISTS
FOR (n:Expectation) REQUIRE (n.realm, n.id) IS UNIQUE;

// memory_time: memories of a kind by the time at which they were said, and by id.
CREATE RANGE INDEX memory_time IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.kind, n.first_seen, n.id);

// proposal_id: finds proposals of a realm, and one by its id.
CREATE INDEX proposal_id IF NOT EXISTS
FOR ()-[r:MAY_UPDATE]-() ON (r.realm, r.proposal);

// proposals: makes proposals of the pairs that older versions have marked.
MATCH (later:Memory)-[update:MAY_UPDATE]->(earlier:Memory)
WHERE update.proposal IS NULL
CALL (later, update, earlier) {
  SET update.realm = later.realm,
      update.proposal = later.id + ':' + earlier.id,
      update.state = 'open',
      update.differs = 'word',
      update.before = '',
      update.after = '',
      update.confidence = 0.5,
      update.reason = 'nearly the same words'
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;
