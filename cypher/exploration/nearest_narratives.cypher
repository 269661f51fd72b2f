// Returns the narratives nearest to each of some vectors, nearest first, with their own vectors.
//
// Only nodes labelled Narrative, because a narrative may sum up memories. The index may compare
// shortened vectors, so ten come back for the exact comparison of the nearest.
//
// Parameters: $realm, $settings, $rows
// Returns: key (of the draft), id (of the narrative), name (of the narrative), content (empty
//   if it has none), embedding (of the narrative)
// Access: read

CYPHER 25
UNWIND $rows AS row
CALL (row) {
  MATCH (narrative:Narrative)
    SEARCH narrative IN (
      VECTOR INDEX knowledge_embedding
      FOR row.embedding
      WHERE narrative.realm = $realm AND narrative.kind = 'narrative'
      LIMIT $settings.gate_probe
    ) SCORE AS similarity
  RETURN narrative ORDER BY similarity DESC, narrative.id LIMIT 10
}
RETURN row.key AS key, narrative.id AS id, narrative.name AS name,
       coalesce(narrative.content, '') AS content, narrative.embedding AS embedding
