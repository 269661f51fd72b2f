// Reads two memories and the edges between them, as an explanation needs them.
//
// Parameters: $realm, $now, $a, $b
// Returns: memories (both memories as far as they exist),
//   edges (edges between them with type, ends, and ends that were superseded),
//   rebuilt_by (run of the latest rebuild or null),
//   rebuilt_last_seq (number up to which edges are rebuilt)
// Access: read

CYPHER 25
// Both memories.
CALL () {
  UNWIND [$a, $b] AS id
  MATCH (memory:Memory {realm: $realm, id: id})
  RETURN collect(memory {
    .id, .kind, .embedding, .tags, .category, .waiting, .duplicate_of, .set_aside, .promoted_seq,
    .consolidated_by, .learned_at_hours, .last_reinforced_hours,
    passage: left(coalesce(memory.passage, memory.text), 4000)
  }) AS memories
}
// Their edges, with ends that were superseded, unless both are of one chain.
CALL () {
  MATCH (first:Memory {realm: $realm, id: $a})
        -[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]-
        (second:Memory {realm: $realm, id: $b})
  WITH first, edge, second,
       EXISTS { (first)-[:SUPERSEDES]->+(second) } OR EXISTS { (second)-[:SUPERSEDES]->+(first) }
         AS one_chain
  RETURN collect(
    edge {.*, type: type(edge), from: startNode(edge).id, to: endNode(edge).id,
          corrected: COLLECT {
            MATCH (first)<-[correction:SUPERSEDES]-(new:Memory)
            WHERE NOT one_chain AND correction.correction_confirmed_at IS NULL
              AND correction.at <= $now
            RETURN {old: first.id, new: new.id, at: correction.at} AS mark
          UNION ALL
            MATCH (second)<-[correction:SUPERSEDES]-(new:Memory)
            WHERE NOT one_chain AND correction.correction_confirmed_at IS NULL
              AND correction.at <= $now
            RETURN {old: second.id, new: new.id, at: correction.at} AS mark
          }}
  ) AS edges
}
OPTIONAL MATCH (cursor:Cursor {realm: $realm, id: 'consolidation'})
RETURN memories, edges, cursor.rebuilt_by AS rebuilt_by,
       coalesce(cursor.rebuilt_last_seq, 0) AS rebuilt_last_seq
