// Reads the edges of a memory as strong as they are after so many active hours, strongest first.
//
// An edge fades half as fast as the slower of its two memories, half as fast again from ten uses
// on. What a person said, and what carries no reading, does not fade.
//
// `corrected` has every end that was superseded, until what stands on it is confirmed.
//
// Parameters: $realm, $now, $id, $hours, $types, $minimum, $limit
// Returns: edge (its properties and type and both ends), effective (faded weight from 0 to 1)
// Access: read

CYPHER 25
// Edges by what is left of their weight.
MATCH (memory:Memory {realm: $realm, id: $id})
      -[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]-(other:Memory)
  USING INDEX SEEK memory:Memory(realm, id)
WHERE $types IS NULL OR type(edge) IN $types
WITH edge, other,
     CASE WHEN memory.rate < other.rate THEN memory.rate ELSE other.rate END * 3600 * 0.5
       * CASE WHEN edge.reinforcement_count >= 10 THEN 0.5 ELSE 1.0 END AS rate,
     $hours - edge.last_reinforced_hours AS idle
WITH edge, other, edge.weight * CASE
  WHEN edge.origin = 'agent' OR idle IS NULL OR rate IS NULL OR idle < 0 THEN 1.0
  ELSE exp(-rate * idle) END AS effective
WHERE effective >= $minimum
WITH edge, other, effective
ORDER BY effective DESC, edge.weight DESC, other.id
LIMIT $limit
// Ends that were superseded by something else than the other end.
RETURN edge {.*, type: type(edge), other: other.id, text: other.caption,
             from: startNode(edge).id, to: endNode(edge).id,
             corrected: COLLECT {
               UNWIND [[startNode(edge), endNode(edge)], [endNode(edge), startNode(edge)]] AS ends
               WITH ends[0] AS old, ends[1] AS far
               MATCH (old)<-[correction:SUPERSEDES]-(new:Memory)
               WHERE correction.correction_confirmed_at IS NULL AND correction.at <= $now
                 AND NOT EXISTS { (far)-[:SUPERSEDES]->+(old) }
                 AND NOT EXISTS { (old)-[:SUPERSEDES]->+(far) }
               RETURN {old: old.id, new: new.id, at: correction.at} ORDER BY old.id
             }} AS edge, effective
ORDER BY effective DESC, edge.weight DESC, edge.other
