// Locks stars, and returns for each what decides about its connections.
//
// Everything that changes a star by hand, or a connection, locks its stars first, in the order of
// their ids: two writers then never wait for each other, and no later read goes stale.
//
// Locks: Star nodes by id, in order
//
// Parameters: $ids, $now, $realm
// Returns: id (star id), state (state), constellation (constellation id), closed_day (last closed
//   epoch day), excavated_from (first epoch day of the constellation)
// Access: write

CYPHER 25
UNWIND $ids AS id
MATCH (star:Star {realm: $realm, id: id})
SET star.locked_at = $now
WITH star
OPTIONAL MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
OPTIONAL MATCH (start:Cursor {realm: $realm, id: 'constellation/' + star.constellation_id})
RETURN star.id AS id, star.state AS state, star.constellation_id AS constellation,
       close.day AS closed_day, start.start_day AS excavated_from
