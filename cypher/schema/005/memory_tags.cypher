// Tags of consolidated memories, each one word that is the realm's own: see engine/consolidation.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE FULLTEXT INDEX memory_tags IF NOT EXISTS
FOR (n:Memory) ON EACH [n.tag_keys]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
