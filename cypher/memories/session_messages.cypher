// Returns the messages of a conversation that have one of these keys, with their places in it.
//
// Parameters: $realm, $session, $keys
// Returns: total (number of messages of the conversation), messages (place from 0, id, digest of
//   the words and key of each, in order)
// Access: read

CYPHER 25
MATCH (session:Session {realm: $realm, id: $session})
CALL (session) {
  MATCH (session)<-[:IN_SESSION]-(memory:Memory)
  WHERE memory.message_key IS NOT NULL
  WITH memory ORDER BY memory.arrival, memory.id
  RETURN collect(memory {.id, .digest, key: memory.message_key}) AS messages
}
RETURN size(messages) AS total,
       [place IN range(0, size(messages) - 1) WHERE messages[place].key IN $keys |
         {place: place, id: messages[place].id, digest: messages[place].digest,
          key: messages[place].key}] AS messages
