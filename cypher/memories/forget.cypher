// Removes memories with their relationships, their evidence and whatever else names them.
//
// The Cursor 'texts' counts the memories that were forgotten: vectors in files outside the database
// are compared with that count.
//
// Parameters: $realm, $now, $ids, $repetition_ids
// Returns: memories (number of these that were there), evidence (number of pieces),
//   cursors (number of lock nodes), notes (number of candidate pairs),
//   expectations (pinned questions that they left), relationships (a type and a count each),
//   forgotten (memories forgotten in this realm so far)
// Access: write
// Locks: these Memory nodes in the order of $ids, which come sorted, then Expectation nodes by id;
//   the caller holds the Cursor 'texts', the levels' places and the neighbours

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (memory:Memory {realm: $realm, id: id})
    USING INDEX SEEK memory:Memory(realm, id)
  SET memory.locked_at = $now
  RETURN collect(memory) AS memories
}
// Items of a store that hold their words.
CALL (memories) {
  UNWIND memories AS memory
  MATCH (item:StoreItem)-[:INDEXED_AS]->(memory)
  WITH collect(DISTINCT item) AS removed
  FOREACH (item IN removed | DETACH DELETE item)
  RETURN size(removed) AS items
}
// Relationships, by type.
CALL (memories) {
  UNWIND memories AS memory
  MATCH (memory)-[relationship]-()
  WITH DISTINCT relationship
  WITH type(relationship) AS type, collect(relationship) AS removed
  LET amount = size(removed)
  FOREACH (relationship IN removed | DELETE relationship)
  RETURN collect({type: type, count: amount}) AS relationships
}
// Evidence: their own, and the pieces that they are for other memories as repetitions of them.
CALL (memories) {
  CALL (memories) {
    UNWIND memories AS memory
    MATCH (evidence:Evidence {realm: $realm, memory_id: memory.id})
      USING INDEX SEEK evidence:Evidence(realm, memory_id, moment)
    WHERE evidence.moment IS NOT NULL
    RETURN evidence
  UNION
    UNWIND $repetition_ids AS repetition_id
    MATCH (evidence:Evidence {realm: $realm, id: repetition_id})
      USING INDEX SEEK evidence:Evidence(realm, id)
    RETURN evidence
  }
  WITH collect(evidence) AS removed
  FOREACH (evidence IN removed | DETACH DELETE evidence)
  RETURN size(removed) AS evidence
}
// Bookkeeping that names them: their lock nodes, and pairs that came up together.
CALL () {
  UNWIND $ids AS id
  MATCH (place:Cursor {realm: $realm, id: 'place:text ' + id})
    USING INDEX SEEK place:Cursor(realm, id)
  WITH collect(place) AS removed
  FOREACH (place IN removed | DELETE place)
  RETURN size(removed) AS cursors
}
CALL () {
  CALL () {
    UNWIND $ids AS id
    MATCH (pair:Candidate {realm: $realm, low: id})
      USING INDEX SEEK pair:Candidate(realm, low)
    RETURN pair
  UNION
    UNWIND $ids AS id
    MATCH (pair:Candidate {realm: $realm, high: id})
      USING INDEX SEEK pair:Candidate(realm, high)
    RETURN pair
  }
  WITH collect(pair) AS removed
  FOREACH (pair IN removed | DETACH DELETE pair)
  RETURN size(removed) AS notes
}
// Memories that list one of them as a near duplicate.
CALL () {
  MATCH (other:Memory)
  WHERE other.realm = $realm AND other.near_count > 0
    AND any(near_id IN other.near_duplicates WHERE near_id IN $ids)
  WITH other ORDER BY other.id
  LET left = [near_id IN other.near_duplicates WHERE NOT near_id IN $ids]
  SET other.near_duplicates = left, other.near_count = size(left)
  RETURN count(*) AS others
}
// Pinned questions, which expect them no more and count that.
CALL () {
  MATCH (expectation:Expectation)
  WHERE expectation.realm = $realm AND expectation.id IS NOT NULL
    AND any(other_id IN expectation.must + expectation.must_not WHERE other_id IN $ids)
  WITH expectation ORDER BY expectation.id
  SET expectation.locked_at = $now
  WITH expectation, expectation.must AS must, expectation.must_not AS must_not,
       expectation.must_ranks AS ranks, expectation.must_not_ranks AS other_ranks
  SET expectation.must = [other_id IN must WHERE NOT other_id IN $ids],
      expectation.must_not = [other_id IN must_not WHERE NOT other_id IN $ids],
      expectation.must_ranks =
        [place IN range(0, size(must) - 1) WHERE NOT must[place] IN $ids | ranks[place]],
      expectation.must_not_ranks = [
        place IN range(0, size(must_not) - 1)
        WHERE NOT must_not[place] IN $ids | other_ranks[place]],
      expectation.forgotten = coalesce(expectation.forgotten, 0)
        + size([other_id IN must + must_not WHERE other_id IN $ids])
  RETURN count(*) AS expectations
}
// The memories themselves, and the count of forgotten ones.
LET amount = size(memories)
FOREACH (memory IN memories | DELETE memory)
WITH amount, evidence, cursors, notes, expectations, relationships
MATCH (texts:Cursor {realm: $realm, id: 'texts'})
SET texts.forgotten_count = coalesce(texts.forgotten_count, 0) + amount
RETURN amount AS memories, evidence, cursors, notes, expectations, relationships,
       texts.forgotten_count AS forgotten
