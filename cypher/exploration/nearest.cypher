// The narratives nearest to each of some vectors, nearest first, with their own vectors.
//
// Only nodes labelled Narrative: a narrative may sum up memories. The index may compare shortened
// vectors, so that more of them come than are needed, for the exact comparison.
//
// Parameters: $realm, $settings, $rows
// Returns: key, id, name, content, embedding
// Access: read

CYPHER 25
UNWIND $rows AS row
CALL (row) {
  MATCH (n:Narrative)
    SEARCH n IN (
      VECTOR INDEX knowledge_embedding
      FOR row.embedding
      WHERE n.realm = $realm AND n.kind = 'narrative'
      LIMIT $settings.gate_probe
    ) SCORE AS nearness
  RETURN n ORDER BY nearness DESC, n.id LIMIT 10
}
RETURN row.key AS key, n.id AS id, n.name AS name,
       coalesce(n.content, '') AS content, n.embedding AS embedding
