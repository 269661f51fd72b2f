// Words of memories; the realm's key is a word too, so that a query is filled from one realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE FULLTEXT INDEX memory_text IF NOT EXISTS
FOR (n:Memory) ON EACH [n.realm_key, n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
