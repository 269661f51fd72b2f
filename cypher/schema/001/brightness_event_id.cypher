// One BrightnessEvent per id in a realm.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25
CREATE CONSTRAINT brightness_event_id IF NOT EXISTS
FOR (n:BrightnessEvent) REQUIRE (n.realm, n.id) IS UNIQUE
