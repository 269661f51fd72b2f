// Indexes of speakers and actors, and relationships between actors and the texts that they said.
//
// Parameters: none
// Returns: nothing
// Access: schema
// Scans: every actor, once
// Realms: all

CYPHER 25

// memory_speaker: finds the texts of a speaker.
CREATE RANGE INDEX memory_speaker IF NOT EXISTS
FOR (n:Memory) ON (n.realm, n.speaker);

// actor_name: finds an actor by the name.
CREATE RANGE INDEX actor_name IF NOT EXISTS
FOR (n:Actor) ON (n.realm, n.name);

// said: joins the actors of older versions to the texts that they said.
MATCH (actor:Actor)
UNWIND [actor.id, actor.name] AS speaker
MATCH (memory:Memory)
WHERE memory.realm = actor.realm AND memory.speaker = speaker
WITH DISTINCT actor, memory
CALL (actor, memory) {
  MERGE (actor)-[:SAID]->(memory)
} IN TRANSACTIONS OF 5000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL;
