// Returns the answers of explorations with what they quote, newest first.
//
// Parameters: $realm, $limit
// Returns: id (of the narrative), question (text), content (text to read), at (time it was
//   written), run_id (of the run that wrote it), joined_by (what joins the quotes), quotes
//   (memories with rank, value and time of confirmation)
// Access: read

CYPHER 25
UNWIND ['question', 'confirmed'] AS kind
MATCH (narrative:Narrative {realm: $realm, kind: kind})
  USING INDEX SEEK narrative:Narrative(realm, kind)
WITH narrative ORDER BY narrative.created_at DESC, narrative.id LIMIT $limit
RETURN narrative.id AS id, narrative.name AS question, narrative.content AS content,
       narrative.created_at AS at, narrative.run_id AS run_id,
       coalesce(narrative.joined_by, []) AS joined_by,
       collect {
         MATCH (narrative)-[quote:QUOTES]->(memory:Memory)
         WITH quote, memory ORDER BY quote.rank, memory.id
         RETURN {id: memory.id, text: memory.text, rank: quote.rank, value: quote.value,
                 confirmed: quote.confirmed}
       } AS quotes
