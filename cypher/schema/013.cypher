// Indexes of what explorations start at, and of answers that people confirmed.
//
// Parameters: none
// Returns: nothing
// Access: schema
// Realms: all

CYPHER 25

// graph_text: finds nodes of every part but memories by the words of their names and texts.
CREATE FULLTEXT INDEX graph_text IF NOT EXISTS
FOR (n:Star|Thing|Space|Moment|Intent|Consequence) ON EACH [n.name, n.content, n.text, n.realm]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};

// narrative_kind: narratives of a kind, such as those with confirmed quotes.
CREATE RANGE INDEX narrative_kind IF NOT EXISTS
FOR (n:Narrative) ON (n.realm, n.kind);
