// Indexes the texts that wait, and the consolidated ones.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25

// memory_promoted: consolidated memories in the order in which they were.
CREATE RANGE INDEX memory_promoted IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.promoted_seq);

// memory_reinforced: consolidated memories by the active hours of their last use.
CREATE RANGE INDEX memory_reinforced IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.last_reinforced_hours);

// memory_set_aside: texts that no vector could be made of, and why.
CREATE RANGE INDEX memory_set_aside IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.set_aside);

// memory_tags: tags of consolidated memories, each one word that is the realm's own.
CREATE FULLTEXT INDEX memory_tags IF NOT EXISTS
FOR (n:Memory) ON EACH [n.tag_keys]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};

// memory_unembedded: texts that have no vector yet.
CREATE RANGE INDEX memory_unembedded IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.unembedded);

// memory_waiting: memories that wait for consolidation (the property goes with the wait).
CREATE RANGE INDEX memory_waiting IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.waiting);
