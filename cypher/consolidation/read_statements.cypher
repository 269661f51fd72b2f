// Reads the texts of some memories with what decides whether one changes what another says.
//
// Parameters: $realm, $ids
// Returns: id (id of the memory), text (its text), speaker (who said it: its speaker, else its
//   actor, or null), about (its title or null), session (its session or null),
//   at (microseconds of its time), arrival (its place in the order of arrival)
// Access: read

CYPHER 25
UNWIND $ids AS id
MATCH (memory:Memory {realm: $realm, id: id})
  USING INDEX SEEK memory:Memory(realm, id)
WHERE memory.text IS NOT NULL
RETURN memory.id AS id, memory.text AS text, coalesce(memory.speaker, memory.actor) AS speaker,
       memory.about AS about, memory.session AS session,
       memory.first_seen.epochSeconds * 1000000 + memory.first_seen.microsecond AS at,
       coalesce(memory.arrival, 0) AS arrival
