// Brightness events of a day.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE INDEX brightness_event_day IF NOT EXISTS
FOR (n:BrightnessEvent) ON (n.realm, n.day)
