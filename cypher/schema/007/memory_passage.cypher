// Words of memories, with what a question may ask for beside them: realm, tags, session, day.
//
// A realm's key is a word too, so that a query is filled from one realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE FULLTEXT INDEX memory_passage IF NOT EXISTS
FOR (n:Memory) ON EACH [n.realm_key, n.passage, n.marks, n.day]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
