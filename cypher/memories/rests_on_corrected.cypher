// Lists what stands on superseded memories and was not confirmed since.
//
// That are edges, and links of explorations with narratives, stars, causal links and other places.
// An edge within one chain of corrections stands on nothing that has changed. What is superseded
// from a later time on still holds.
//
// Parameters: $realm, $now, $old (a superseded memory, null for all of them), $limit
// Returns: kind (edge, narrative, causal, star or link), id (of the edge or the link, or of the
//   narrative), type (of the relationship), other (id at its far end), other_text (its caption),
//   old (id of the superseded memory), old_text (its text), new (id of what superseded it),
//   new_text (its text), at (time from which the successor holds)
// Access: read

CYPHER 25
// Memories that were superseded: one, or all of the realm.
CALL () {
  MATCH (old:Memory {realm: $realm, id: $old})<-[correction:SUPERSEDES]-(new:Memory)
    USING INDEX SEEK old:Memory(realm, id)
  RETURN old, correction, new
UNION ALL
  MATCH (old:Memory)
    USING INDEX SEEK old:Memory(realm, id)
  WHERE old.realm = CASE WHEN $old IS NULL THEN $realm END
    AND old.id IS NOT NULL AND old.superseded_by IS NOT NULL
  MATCH (old)<-[correction:SUPERSEDES]-(new:Memory)
  RETURN old, correction, new
}
WITH old, correction, new
WHERE correction.correction_confirmed_at IS NULL AND correction.at <= $now
// What stands on each of them.
CALL (old) {
  MATCH (old)-[edge:SIMILAR|SUPPORTS|CONTRADICTS|ELABORATES|CO_OCCURS|OUTCOME]-(other:Memory)
  WHERE NOT EXISTS { (other)-[:SUPERSEDES]->+(old) }
    AND NOT EXISTS { (old)-[:SUPERSEDES]->+(other) }
  RETURN 'edge' AS kind,
         coalesce(edge.edge_id, startNode(edge).id + '|' + endNode(edge).id) AS id, edge, other
UNION ALL
  MATCH (old)-[edge:LINK]-(other)
  RETURN CASE
           WHEN other:Narrative THEN 'narrative'
           WHEN other:Intent OR other:Consequence THEN 'causal'
           WHEN other:Star THEN 'star'
           ELSE 'link' END AS kind,
         CASE WHEN other:Narrative THEN other.id ELSE edge.id END AS id, edge, other
}
RETURN kind, id, type(edge) AS type, other.id AS other,
       coalesce(other.caption, other.name, '') AS other_text, old.id AS old,
       coalesce(old.text, '') AS old_text, new.id AS new, coalesce(new.text, '') AS new_text,
       correction.at AS at
ORDER BY at DESC, old, kind, id, type
LIMIT $limit
