// Returns texts and sessions that mention two stars by a name or an alias, earliest first.
//
// A text is a memory or a recorded intent; an intent that a memory describes is that memory's text.
// Each pair and text, and each pair and session without such a text, comes once: what evidence was
// drawn from already is left out, and so are pairs that the user has denied lately.
//
// Parameters: $phrases, $since, $day, $limit, $settings, $realm
// Returns: lower (lower star id), upper (the other one), kind (text or session), session (id of the
//   session, or null), at (time of the text, or null), memories (ids of the texts that are
//   memories), intents (ids of those that are intents), texts (their words)
// Access: read

CYPHER 25
// 1. Texts by star: origin, star.
CALL () {
  UNWIND $phrases AS phrase
  CALL db.index.fulltext.queryNodes(
    'memory_words', phrase.memories, {limit: $settings.reflect_texts}) YIELD node
  FILTER node.realm = $realm AND node.indexed AND node.superseded_by IS NULL
    AND (phrase.whole IS NULL OR toLower(node.text) CONTAINS phrase.whole)
    AND ($since IS NULL OR node.first_seen >= $since)
  RETURN node, phrase.star AS star
UNION
  UNWIND $phrases AS phrase
  CALL db.index.fulltext.queryNodes(
    'graph_text', phrase.intents, {limit: $settings.reflect_texts}) YIELD node
  FILTER node.realm = $realm AND node:Intent AND $since IS NULL
    AND NOT EXISTS { (:Memory)-[:DESCRIBES]->(node) }
  RETURN node, phrase.star AS star
}
WITH node, star ORDER BY star
WITH node, collect(DISTINCT star) AS stars, coalesce(node.session, node.session_id) AS session
ORDER BY node.first_seen, node.anchor_index, node.id
WITH collect({node: node, stars: stars, session: session}) AS origins
// 2. Pairs in one text, and pairs in one session that no text of it has.
CALL (origins) {
  UNWIND origins AS origin
  UNWIND origin.stars AS lower
  UNWIND origin.stars AS upper
  WITH origin, lower, upper WHERE lower < upper
  RETURN lower, upper, 'text' AS kind, origin.session AS session, [origin.node] AS nodes
UNION ALL
  UNWIND origins AS origin
  WITH origin WHERE origin.session IS NOT NULL
  WITH origin.session AS session, collect(origin) AS members
  CALL (members) {
    UNWIND members AS member
    UNWIND member.stars AS star
    RETURN star, collect(member)[0] AS earliest
  }
  WITH session, members, collect({star: star, node: earliest.node}) AS mentioned
  UNWIND mentioned AS first
  UNWIND mentioned AS second
  WITH session, members, first, second
  WHERE first.star < second.star
    AND none(member IN members WHERE first.star IN member.stars AND second.star IN member.stars)
  RETURN first.star AS lower, second.star AS upper, 'session' AS kind, session,
         [first.node, second.node] AS nodes
}
// 3. What no evidence was drawn from so far.
LET pair_key = lower + '|' + upper
FILTER NOT EXISTS {
    UNWIND nodes AS node
    MATCH (node)<-[:DRAWN_FROM]-(piece:Evidence)
    WHERE piece.pair_key = pair_key
      AND (kind = 'text' OR piece.type = 'co_mention_session')
  }
  AND NOT EXISTS {
    MATCH (denied:ArchivedConnection {realm: $realm, pair_key: pair_key})
    WHERE denied.archived_at IS NOT NULL AND denied.reason = 'denied by the user'
      AND $day - denied.day < $settings.hypothesis_quiet_days
  }
WITH lower, upper, kind, session, nodes, coll.max([node IN nodes | node.first_seen]) AS at
ORDER BY at, lower, upper, nodes[0].id LIMIT $limit
RETURN lower, upper, kind, session, at,
       [node IN nodes WHERE node:Memory | node.id] AS memories,
       [node IN nodes WHERE node:Intent | node.id] AS intents,
       [node IN nodes | node.text] AS texts
