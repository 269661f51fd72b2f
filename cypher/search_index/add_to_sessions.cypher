// Puts new text memories at the end of their sessions, in the order in which they arrived.
//
// Parameters: $realm, $sessions
// Returns: arrived (number of memories added)
// Access: write

CYPHER 25
// Sessions that count their arrivals: session, ids.
UNWIND $sessions AS row
MERGE (session:Session {realm: $realm, id: row.id})
ON CREATE SET session.caption = row.id
SET session.arrivals = coalesce(session.arrivals, 0) + size(row.ids)
WITH session, row.ids AS ids
// The memory that was last so far, and the new ones behind it: chain.
OPTIONAL MATCH (latest:Memory {realm: $realm, id: session.latest_memory})
WITH session, ids, [id IN [latest.id] WHERE id IS NOT NULL] + ids AS chain
CALL (session, ids) {
  UNWIND ids AS id
  MATCH (memory:Memory {realm: $realm, id: id})
    USING INDEX SEEK memory:Memory(realm, id)
  CREATE (memory)-[:IN_SESSION]->(session)
  RETURN count(*) AS arrived
}
CALL (chain) {
  UNWIND range(1, size(chain) - 1) AS place
  MATCH (before:Memory {realm: $realm, id: chain[place - 1]}),
        (after:Memory {realm: $realm, id: chain[place]})
    USING INDEX SEEK before:Memory(realm, id)
    USING INDEX SEEK after:Memory(realm, id)
  CREATE (before)-[:NEXT]->(after)
  RETURN count(*) AS links
}
SET session.latest_memory = ids[-1]
RETURN sum(arrived) AS arrived
