// Reads some nodes of each label of a realm, in the order of their keys, with what starts there.
//
// A realm that fits is one page. Each label has a branch of its own, whose index has the order: a
// label that is only known while the statement runs would be scanned, and all of it sorted for each
// page. A time is returned as text, for that alone keeps its nanoseconds and its zone.
//
// Parameters: $realm, $begin (by label the least key of the page, and nothing of a label that was
//   read to its end), $limit (how many nodes of each label at most)
// Returns: portions (some of the page, several in a row since rows cost: of each node one or more:
//   labels, key, names and values of its properties, where a value that is no text, number, truth
//   or list of them is a map of its type and its text or texts, names being null in further
//   portions of the node; then, of its relationships, the types, the labels of the nodes at their
//   ends as texts, their keys, and names and values of their properties likewise or null: lists
//   of each, since a list for each would be many more)
// Access: read

CYPHER 25
// node: those of the page, each label by its index
CALL () {
  // stars, and what is recorded of them
  MATCH (node:Star) USING INDEX SEEK node:Star(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Star
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Prediction) USING INDEX SEEK node:Prediction(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Prediction
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:BrightnessEvent) USING INDEX SEEK node:BrightnessEvent(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.BrightnessEvent
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:ConnectionChange) USING INDEX SEEK node:ConnectionChange(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.ConnectionChange
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:KeptStar) USING INDEX SEEK node:KeptStar(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.KeptStar
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:KeptConnection) USING INDEX SEEK node:KeptConnection(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.KeptConnection
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  // memories, and what is theirs
  MATCH (node:Memory) USING INDEX SEEK node:Memory(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Memory
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Session) USING INDEX SEEK node:Session(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Session
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Evidence) USING INDEX SEEK node:Evidence(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Evidence
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Candidate) USING INDEX SEEK node:Candidate(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Candidate
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Expectation) USING INDEX SEEK node:Expectation(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Expectation
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:StoreItem) USING INDEX SEEK node:StoreItem(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.StoreItem
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  // nodes of walks
  MATCH (node:Actor) USING INDEX SEEK node:Actor(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Actor
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Moment) USING INDEX SEEK node:Moment(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Moment
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Narrative) USING INDEX SEEK node:Narrative(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Narrative
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Space) USING INDEX SEEK node:Space(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Space
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Thing) USING INDEX SEEK node:Thing(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Thing
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:ArchivedConnection) USING INDEX SEEK node:ArchivedConnection(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.ArchivedConnection
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  // recorded sessions, and runs
  MATCH (node:Intent) USING INDEX SEEK node:Intent(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Intent
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Consequence) USING INDEX SEEK node:Consequence(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Consequence
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Utterance) USING INDEX SEEK node:Utterance(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Utterance
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Run) USING INDEX SEEK node:Run(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Run
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  MATCH (node:Cursor) USING INDEX SEEK node:Cursor(realm, id)
  WHERE node.realm = $realm AND node.id >= $begin.Cursor
  RETURN node, node.id AS key ORDER BY node.realm, node.id LIMIT $limit
UNION ALL
  // names and words, which have other keys
  MATCH (node:Name) USING INDEX SEEK node:Name(realm, key)
  WHERE node.realm = $realm AND node.key >= $begin.Name
  RETURN node, node.key AS key ORDER BY node.realm, node.key LIMIT $limit
UNION ALL
  MATCH (node:Term) USING INDEX SEEK node:Term(realm, stem)
  WHERE node.realm = $realm AND node.stem >= $begin.Term
  RETURN node, node.stem AS key ORDER BY node.realm, node.stem LIMIT $limit
UNION ALL
  // what there is one of
  MATCH (node:Realm {realm: $realm}) WHERE $begin.Realm IS NOT NULL
  RETURN node, '' AS key
UNION ALL
  MATCH (node:EmbeddingModel {realm: $realm}) WHERE $begin.EmbeddingModel IS NOT NULL
  RETURN node, '' AS key
}

// names: of its properties
LET names = keys(node)

// links: the relationships that start there, whose properties have types that survive JSON
LET links = COLLECT {
  MATCH (node)-[link]->(far)
  LET own = keys(link)
  RETURN [type(link), reduce(text = '', label IN labels(far) | text + ' ' + label),
    coalesce(far.id, far.key, far.stem), CASE WHEN own <> [] THEN [own, [name IN own | CASE
      WHEN link[name] IS :: BOOLEAN | STRING | INTEGER | FLOAT
             | LIST<BOOLEAN> | LIST<STRING> | LIST<INTEGER> | LIST<FLOAT> THEN link[name]
      WHEN link[name] IS :: LIST<ANY> THEN
        {type: valueType(link[name]), texts: [value IN link[name] | toString(value)]}
      ELSE {type: valueType(link[name]), text: toString(link[name])} END]] END]
}

// portions: the node, with the first of its relationships, and then the others
UNWIND range(0, size(links), 500) AS first
WITH collect([
  labels(node), key, CASE WHEN first = 0 THEN names END,
  CASE WHEN first = 0 THEN [name IN names | CASE
    WHEN node[name] IS :: BOOLEAN | STRING | INTEGER | FLOAT
           | LIST<BOOLEAN> | LIST<STRING> | LIST<INTEGER> | LIST<FLOAT> THEN node[name]
    WHEN node[name] IS :: LIST<ANY> THEN
      {type: valueType(node[name]), texts: [value IN node[name] | toString(value)]}
    ELSE {type: valueType(node[name]), text: toString(node[name])} END] END,
  [link IN links[first..first + 500] | link[0]], [link IN links[first..first + 500] | link[1]],
  [link IN links[first..first + 500] | link[2]], [link IN links[first..first + 500] | link[3]]
]) AS page
UNWIND range(0, size(page) - 1, 50) AS first
RETURN page[first..first + 50] AS portions
