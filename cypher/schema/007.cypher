// Indexes the words of memories.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25

// memory_passage: words of memories, with realm, tags, session and day as words too.
// A realm's key is a word too, so that a query is filled from one realm.
CREATE FULLTEXT INDEX memory_passage IF NOT EXISTS
FOR (n:Memory) ON EACH [n.realm_key, n.passage, n.marks, n.day]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};

// term_everywhere: a word in every realm, for its frequency in the fulltext index they share.
CREATE INDEX term_everywhere IF NOT EXISTS
FOR (n:Term) ON (n.stem);
