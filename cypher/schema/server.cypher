// What the server is: a first question that every Neo4j answers.
//
// Parameters: none
// Returns: version, edition
// Access: read
// Realms: none

CYPHER 25
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition
