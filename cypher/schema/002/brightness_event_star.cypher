// Brightness events of a star, in time.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX brightness_event_star IF NOT EXISTS
FOR (n:BrightnessEvent) ON (n.realm, n.star, n.at)
