// Takes text memories out of what questions ask: names, subjects, words, order, how many.
//
// For memories that are forgotten or that turned out to repeat another; a second time changes
// nothing. What nobody mentions any more goes; a session closes the gap, one memory at a time.
// Whoever runs this holds the turn of the texts, these memories and those beside them.
//
// Parameters: $realm, $now, $settings, $ids, $terms
// Returns: withdrawn, names, terms
// Access: write

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {realm: $realm, id: id})
    USING INDEX SEEK m:Memory(realm, id)
  SET m.locked_at = $now
  WITH m WHERE m.noted
  SET m.noted = null, m.realm_key = null
  RETURN collect(m) AS noted
}
CALL (noted) {
  UNWIND noted AS m
  MATCH (m)-[:IN_SESSION]->(session:Session)
  WITH m, session ORDER BY session.id
  CALL (m, session) {
    SET session.arrivals = session.arrivals - 1
    WITH m, session
    MATCH (m)-[inside:IN_SESSION]->(session)
    OPTIONAL MATCH (before:Memory)-[earlier:NEXT]->(m)
    OPTIONAL MATCH (m)-[later:NEXT]->(after:Memory)
    DELETE inside, earlier, later
    FOREACH (_ IN CASE WHEN before.id <> after.id THEN [1] END | CREATE (before)-[:NEXT]->(after))
    FOREACH (_ IN CASE WHEN session.latest_memory = m.id THEN [1] END | SET session.latest_memory = before.id)
  }
  RETURN collect(session) AS sessions
}
CALL (noted) {
  UNWIND noted AS m
  MATCH (m)-[mention:MENTIONS]->(name:Name)
  WITH name, collect(mention) AS mentions ORDER BY name.key
  SET name.df = name.df - size(mentions)
  FOREACH (mention IN mentions | DELETE mention)
  FOREACH (_ IN CASE WHEN name.df < $settings.exact_counts THEN [1] END |
    SET name.df = COUNT { (name)<-[:MENTIONS]-() })
  RETURN collect(name) AS names
}
CALL (noted) {
  UNWIND noted AS m
  MATCH (m)-[tie:ABOUT|HAS_TERM]->()
  DELETE tie
  RETURN count(*) AS ties
}
CALL (noted) {
  UNWIND $terms AS row
  MATCH (term:Term {realm: $realm, stem: row.stem})
    USING INDEX SEEK term:Term(realm, stem)
  SET term.df = term.df - size([m IN noted WHERE m.id IN row.ids])
  WITH term WHERE term.df <= 0 AND NOT EXISTS { (term)<-[:HAS_TERM]-() }
  DETACH DELETE term
  RETURN count(*) AS terms
}
LET unnamed = [n IN names WHERE NOT EXISTS { (n)<-[:MENTIONS]-() }]
FOREACH (name IN unnamed | DETACH DELETE name)
FOREACH (session IN [s IN sessions WHERE s.arrivals = 0 AND s.run_id IS NULL AND NOT EXISTS { (s)--() }] | DELETE session)
WITH size(noted) AS withdrawn, size(unnamed) AS names, terms
MATCH (realm:Realm {realm: $realm})
SET realm.n = realm.n - withdrawn
RETURN withdrawn, names, terms
