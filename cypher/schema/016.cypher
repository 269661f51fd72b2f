// Indexes the words of memories as the engine itself stems them, in every language.
//
// Parameters: none
// Returns: nothing
// Access: schema
// Realms: all

CYPHER 25

// memory_words: stems of memories, with realm, marks and day as words too.
// A realm's key is a word too, so that a query is filled from one realm.
CREATE FULLTEXT INDEX memory_words IF NOT EXISTS
FOR (n:Memory) ON EACH [n.realm_key, n.words, n.marks, n.day]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};

// drop_memory_passage: an index of English words, which nothing reads any more.
DROP INDEX memory_passage IF EXISTS;

// drop_term_everywhere: counts of words in all realms together, which nothing reads any more.
DROP INDEX term_everywhere IF EXISTS;
