// Records how pinned questions were answered, unless they were pinned anew or lost a memory.
//
// Parameters: $realm, $now, $rows
// Returns: recorded (number of questions)
// Access: write
// Locks: Expectation nodes by id

CYPHER 25
UNWIND $rows AS row
MATCH (expectation:Expectation {realm: $realm, id: row.id})
  USING INDEX SEEK expectation:Expectation(realm, id)
WITH expectation, row ORDER BY expectation.id
SET expectation.locked_at = $now
WITH expectation, row
WHERE expectation.must = row.must AND expectation.must_not = row.must_not
SET expectation += row.properties, expectation.checked_at = $now
RETURN count(*) AS recorded
