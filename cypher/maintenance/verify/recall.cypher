// Counts, words and sessions of what is remembered that do not agree with the memories.
//
// A count is exact up to a limit. A word that was common once is not tied to all that say it, so it
// may count more than are tied, but never fewer.
//
// Parameters: $realm, $settings, $exact_counts
// Returns: invariant, id, found, expected
// Access: read

CYPHER 25
CALL () {
  MATCH (name:Name) WHERE name.realm = $realm AND name.key IS NOT NULL
    AND (name.df IS NULL OR name.df < $exact_counts)
  WITH name, COUNT { (name)<-[:MENTIONS]-() } AS counted
  WHERE coalesce(counted <> name.df, true)
  RETURN 'a name is counted right' AS invariant, name.key AS id, toStringOrNull(name.df) AS found, toString(counted) AS expected
UNION ALL
  MATCH (term:Term) WHERE term.realm = $realm AND term.stem IS NOT NULL
    AND (term.df IS NULL OR term.df * 2 < $exact_counts)
  WITH term, COUNT { (term)<-[:HAS_TERM]-() } AS counted
  WHERE coalesce(counted > term.df, true)
  RETURN 'a word is counted right' AS invariant, term.stem AS id, toStringOrNull(term.df) AS found, 'at least ' + counted AS expected
UNION ALL
  MATCH (realm:Realm {realm: $realm})
  WITH realm, COUNT { MATCH (m:Memory) WHERE m.realm = $realm AND m.id IS NOT NULL AND m.noted } AS noted
  WHERE noted <> coalesce(realm.n, 0)
  RETURN 'the realm counts its texts' AS invariant, $realm AS id, toString(coalesce(realm.n, 0)) AS found, toString(noted) AS expected
UNION ALL
  MATCH (realm:Realm {realm: $realm})
  MATCH (m:Memory) WHERE m.realm = $realm AND m.id IS NOT NULL AND m.kind = 'text'
  UNWIND [
    CASE WHEN coalesce(m.noted, false) <> (coalesce(m.realm_key, '') = realm.realm_key)
      THEN ['what is noted is found by its realm', m.realm_key, realm.realm_key] END,
    CASE WHEN coalesce(m.noted, false) = (m.state = 'duplicate')
      THEN ['a text is noted unless it is a duplicate', toStringOrNull(m.noted), toString(m.state <> 'duplicate')] END,
    CASE WHEN COUNT { (m)-[:IN_SESSION]->() } <> CASE WHEN m.noted AND m.session IS NOT NULL THEN 1 ELSE 0 END
      THEN ['a text is in its session once', toString(COUNT { (m)-[:IN_SESSION]->() }), m.session] END,
    CASE WHEN COUNT { (m)-[:NEXT]->() } > 1 OR COUNT { (m)<-[:NEXT]-() } > 1 OR EXISTS { (m)-[:NEXT]->(m) }
      THEN ['the order of a session has no branches', COUNT { (m)-[:NEXT]-() } + ' neighbours', 'one before, one after'] END,
    CASE WHEN EXISTS { MATCH (m)-[:NEXT]->(after) WHERE after.session IS NULL OR m.session IS NULL OR after.session <> m.session }
      THEN ['the order stays within a session', 'another session', m.session] END
  ] AS wrong
  WITH m, wrong WHERE wrong IS NOT NULL
  RETURN wrong[0] AS invariant, m.id AS id, wrong[1] AS found, wrong[2] AS expected
UNION ALL
  MATCH (session:Session) WHERE session.realm = $realm AND session.id IS NOT NULL
  LET members = COUNT { (session)<-[:IN_SESSION]-() },
      steps = COUNT { (session)<-[:IN_SESSION]-()-[:NEXT]->() },
      last = COLLECT { MATCH (session)<-[:IN_SESSION]-(m) WHERE NOT EXISTS { (m)-[:NEXT]->() } RETURN m.id }
  FILTER members <> coalesce(session.arrivals, 0) OR steps <> CASE WHEN members > 0 THEN members - 1 ELSE 0 END
    OR (members > 0 AND coalesce(last <> [session.latest_memory], true))
  RETURN 'a session is one row of its texts' AS invariant, session.id AS id,
         members + ' texts, ' + steps + ' steps, ' + size(last) + ' ends' AS found,
         coalesce(session.arrivals, 0) + ' texts in a row, the last ' + coalesce(session.latest_memory, 'none') AS expected
}
RETURN invariant, id, found, expected ORDER BY invariant, id LIMIT $settings.offenders
