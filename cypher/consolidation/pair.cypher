// Two memories and what joins them: what an explanation needs.
//
// Parameters: $realm, $a, $b
// Returns: memories, edges, rebuilt_by, rebuilt_upto
// Access: read

CYPHER 25
CALL () {
  UNWIND [$a, $b] AS id
  MATCH (m:Memory {realm: $realm, id: id})
  RETURN collect(m {.id, .kind, .embedding, .tags, .category, .waiting, .duplicate_of, .set_aside,
                    .promoted_seq, .consolidated_by, .learned_at_hours, .last_reinforced_hours}) AS memories
}
CALL () {
  MATCH (a:Memory {realm: $realm, id: $a})
        -[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]-
        (b:Memory {realm: $realm, id: $b})
  RETURN collect(edge {.*, type: type(edge), from: startNode(edge).id, to: endNode(edge).id}) AS edges
}
OPTIONAL MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
RETURN memories, edges, cursor.rebuilt_by AS rebuilt_by,
       coalesce(cursor.rebuilt_upto, 0) AS rebuilt_upto
