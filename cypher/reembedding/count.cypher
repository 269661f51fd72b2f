// Counts what has a vector in a realm.
//
// Parameters: $realm
// Returns: kind (a label or LINK), count (how many of that kind)
// Access: read

CYPHER 25
// 1. Nodes, label by label.
MATCH (node:Memory {realm: $realm}) WHERE node.id > '' AND node.embedding IS NOT NULL
RETURN 'Memory' AS kind, count(*) AS count
UNION ALL
MATCH (node:Narrative {realm: $realm}) WHERE node.id > '' AND node.embedding IS NOT NULL
RETURN 'Narrative' AS kind, count(*) AS count
UNION ALL
MATCH (node:Intent {realm: $realm}) WHERE node.id > '' AND node.embedding IS NOT NULL
RETURN 'Intent' AS kind, count(*) AS count
UNION ALL
MATCH (node:Consequence {realm: $realm}) WHERE node.id > '' AND node.embedding IS NOT NULL
RETURN 'Consequence' AS kind, count(*) AS count
UNION ALL
MATCH (node:Actor {realm: $realm}) WHERE node.id > '' AND node.embedding IS NOT NULL
RETURN 'Actor' AS kind, count(*) AS count
UNION ALL
MATCH (node:Moment {realm: $realm}) WHERE node.id > '' AND node.embedding IS NOT NULL
RETURN 'Moment' AS kind, count(*) AS count
UNION ALL
MATCH (node:Space {realm: $realm}) WHERE node.id > '' AND node.embedding IS NOT NULL
RETURN 'Space' AS kind, count(*) AS count
UNION ALL
MATCH (node:Thing {realm: $realm}) WHERE node.id > '' AND node.embedding IS NOT NULL
RETURN 'Thing' AS kind, count(*) AS count
UNION ALL
// 2. Links.
MATCH ()-[link:LINK]->()
  USING INDEX SEEK link:LINK(realm, id)
  WHERE link.realm = $realm AND link.id > '' AND link.embedding IS NOT NULL
RETURN 'LINK' AS kind, count(*) AS count
