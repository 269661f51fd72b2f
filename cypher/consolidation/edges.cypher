// The edges of a memory as strong as they are after so many active hours, strongest first.
//
// An edge fades half as fast as the slower of its two memories, half as fast again from ten uses
// on. What a person said, and what carries no reading, does not fade.
//
// Parameters: $realm, $id, $hours, $types, $minimum, $limit
// Returns: edge, effective
// Access: read

CYPHER 25
MATCH (m:Memory {realm: $realm, id: $id})
      -[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]-(other:Memory)
  USING INDEX SEEK m:Memory(realm, id)
WHERE $types IS NULL OR type(edge) IN $types
WITH edge, other, CASE WHEN m.rate < other.rate THEN m.rate ELSE other.rate END * 3600 * 0.5
       * CASE WHEN edge.reinforcement_count >= 10 THEN 0.5 ELSE 1.0 END AS rate,
     $hours - edge.last_reinforced_hours AS idle
WITH edge, other, edge.weight * CASE
  WHEN edge.origin = 'agent' OR idle IS NULL OR rate IS NULL OR idle < 0 THEN 1.0
  ELSE exp(-rate * idle) END AS effective
WHERE effective >= $minimum
RETURN edge {.*, type: type(edge), other: other.id, text: other.caption,
             from: startNode(edge).id, to: endNode(edge).id} AS edge, effective
ORDER BY effective DESC, edge.weight DESC, other.id
LIMIT $limit
