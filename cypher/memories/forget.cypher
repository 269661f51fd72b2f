// Removes a memory with its relationships, its evidence and whatever else names it; counts that.
//
// Whoever runs this holds the turn of the texts, the memory's place and its neighbours. The turn
// counts what was forgotten: vectors kept outside the database are compared with that count.
//
// Parameters: $realm, $now, $id, $repetition
// Returns: memories, evidence, cursors, notes, relationships, forgotten
// Access: write

CYPHER 25
OPTIONAL MATCH (m:Memory {realm: $realm, id: $id})
SET m.locked_at = $now
WITH m
// What is joined to it, by type.
CALL (m) {
  OPTIONAL MATCH (m)-[r]-()
  WITH type(r) AS name, count(r) AS amount, collect(r) AS gone
  FOREACH (r IN gone | DELETE r)
  RETURN collect(CASE WHEN name IS NULL THEN null ELSE {type: name, count: amount} END) AS relationships
}
// What it was made of, and what it was for another as a repetition of it.
CALL (m) {
  OPTIONAL MATCH (evidence:Evidence {realm: $realm, memory_id: m.id})
  WHERE evidence.moment IS NOT NULL
  WITH collect(evidence) AS own
  OPTIONAL MATCH (repeated:Evidence {realm: $realm, id: $repetition})
  WITH own, collect(repeated) AS others
  WITH own + others AS gone
  FOREACH (evidence IN gone | DETACH DELETE evidence)
  RETURN size(gone) AS evidence
}
// Bookkeeping that names it: its place, and pairs that came up together.
CALL () {
  OPTIONAL MATCH (place:Cursor {realm: $realm, id: 'place:text ' + $id})
  WITH collect(place) AS gone
  FOREACH (place IN gone | DELETE place)
  RETURN size(gone) AS cursors
}
CALL () {
  CALL () {
    MATCH (note:Candidate {realm: $realm, low: $id}) RETURN note
  UNION
    MATCH (note:Candidate {realm: $realm, high: $id}) RETURN note
  }
  WITH collect(note) AS gone
  FOREACH (note IN gone | DETACH DELETE note)
  RETURN size(gone) AS notes
}
// Others that noted it as near them.
CALL () {
  MATCH (near:Memory) WHERE near.realm = $realm AND near.near_count > 0
    AND $id IN near.near_duplicates
  WITH near ORDER BY near.id
  SET near.near_duplicates = [id IN near.near_duplicates WHERE id <> $id],
      near.near_count = size([id IN near.near_duplicates WHERE id <> $id])
  RETURN count(*) AS near
}
FOREACH (gone IN CASE WHEN m IS NULL THEN [] ELSE [m] END | DELETE gone)
WITH CASE WHEN m IS NULL THEN 0 ELSE 1 END AS memories, evidence, cursors, notes, relationships
MATCH (turn:Cursor {realm: $realm, id: 'texts'})
SET turn.forgotten = coalesce(turn.forgotten, 0) + memories
RETURN memories, evidence, cursors, notes, relationships, turn.forgotten AS forgotten
