// Reads the pinned questions of a realm, oldest first.
//
// Parameters: $realm
// Returns: id (of the question with its filter), question (its words),
//   first_hits (how many of them it is about), must (ids that must be among them),
//   must_not (ids that must not), filter (arguments as JSON),
//   must_ranks (ranks of those that must at the latest recording, 0 for none),
//   must_not_ranks (the same of the others), holds (if it held then),
//   forgotten (number of its memories that were forgotten), created_at (time it was pinned),
//   checked_at (time of the latest recording)
// Access: read

CYPHER 25
MATCH (expectation:Expectation)
WHERE expectation.realm = $realm AND expectation.id IS NOT NULL
  AND expectation.filter IS NOT NULL  // else somebody has damaged it, and it can't be asked
RETURN expectation.id AS id, expectation.question AS question, expectation.first_hits AS first_hits,
       expectation.must AS must, expectation.must_not AS must_not, expectation.filter AS filter,
       expectation.must_ranks AS must_ranks, expectation.must_not_ranks AS must_not_ranks,
       expectation.holds AS holds, coalesce(expectation.forgotten, 0) AS forgotten,
       expectation.created_at AS created_at, expectation.checked_at AS checked_at
ORDER BY created_at, id
