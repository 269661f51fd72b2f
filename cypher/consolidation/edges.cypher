// Reads the edges of a memory as strong as they are after so many active hours, strongest first.
//
// An edge fades half as fast as the slower of its two memories, half as fast again from ten uses
// on. What a person said, and what carries no reading, does not fade.
//
// Rare words and names of both texts come the rarest first. `corrected` has every end that was
// superseded, until what stands on it is confirmed.
//
// Parameters: $realm, $now, $id, $hours, $types, $minimum, $limit
// Returns: edge (its properties and type and both ends), effective (faded weight from 0 to 1),
//   passage (beginning of the memory's passage), stems (rare words of both), names (names of both)
// Access: read

CYPHER 25
// Edges by what is left of their weight.
MATCH (memory:Memory {realm: $realm, id: $id})
      -[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]-(other:Memory)
  USING INDEX SEEK memory:Memory(realm, id)
WHERE $types IS NULL OR type(edge) IN $types
WITH memory, edge, other,
     CASE WHEN memory.rate < other.rate THEN memory.rate ELSE other.rate END * 3600 * 0.5
       * CASE WHEN edge.reinforcement_count >= 10 THEN 0.5 ELSE 1.0 END AS rate,
     $hours - edge.last_reinforced_hours AS idle
WITH memory, edge, other, edge.weight * CASE
  WHEN edge.origin = 'agent' OR idle IS NULL OR rate IS NULL OR idle < 0 THEN 1.0
  ELSE exp(-rate * idle) END AS effective
WHERE effective >= $minimum
WITH memory, edge, other, effective
ORDER BY effective DESC, edge.weight DESC, other.id
LIMIT $limit
// Words and names of both.
OPTIONAL MATCH (realm:Realm {realm: $realm})
WITH memory, edge, other, effective,
     CASE WHEN realm.text_count > 30 THEN realm.text_count / 10.0 ELSE 3.0 END AS most
WITH memory, edge, other, effective, COLLECT {
       MATCH (memory)-[:HAS_TERM]->(term:Term)<-[:HAS_TERM]-(other)
       WHERE 1 < term.memory_count <= most
       RETURN term.stem ORDER BY term.memory_count, term.stem
     } AS stems, COLLECT {
       MATCH (memory)-[:MENTIONS]->(name:Name)<-[:MENTIONS]-(other)
       RETURN name.key ORDER BY name.memory_count, name.key
     } AS names
// Ends that were superseded, unless both are of one chain.
WITH memory, edge, other, effective, stems, names,
     EXISTS { (memory)-[:SUPERSEDES]->+(other) } OR EXISTS { (other)-[:SUPERSEDES]->+(memory) }
       AS one_chain
RETURN edge {.*, type: type(edge), other: other.id, text: other.caption,
             from: startNode(edge).id, to: endNode(edge).id,
             corrected: COLLECT {
               MATCH (memory)<-[correction:SUPERSEDES]-(new:Memory)
               WHERE NOT one_chain AND correction.correction_confirmed_at IS NULL
                 AND correction.at <= $now
               RETURN {old: memory.id, new: new.id, at: correction.at} AS mark
             UNION ALL
               MATCH (other)<-[correction:SUPERSEDES]-(new:Memory)
               WHERE NOT one_chain AND correction.correction_confirmed_at IS NULL
                 AND correction.at <= $now
               RETURN {old: other.id, new: new.id, at: correction.at} AS mark
             }} AS edge, effective,
       left(coalesce(memory.passage, memory.text), 4000) AS passage, stems, names
ORDER BY effective DESC, edge.weight DESC, edge.other
