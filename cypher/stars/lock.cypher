// Locks stars, in the order given, and says what decides about them.
//
// Everything that changes a star by hand, or a connection, holds its stars first, in the order of
// their ids: two writers then never wait for each other, and nothing read later goes stale.
//
// Parameters: $ids, $realm
// Returns: id, state, constellation, closed_day, excavated_from, since
// Access: write

CYPHER 25
UNWIND $ids AS id
MATCH (star:Star {realm: $realm, id: id})
SET star.bucket = star.bucket
WITH star
OPTIONAL MATCH (close:Cursor {realm: $realm, id: 'stars/close'})
OPTIONAL MATCH (start:Cursor {realm: $realm, id: 'constellation/' + star.constellation_id})
RETURN star.id AS id, star.state AS state, star.constellation_id AS constellation,
       close.day AS closed_day, start.start_day AS excavated_from, close.since AS since
