// Constraints and indexes of items that programs store under a namespace and a key.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25

// store_item_id: one StoreItem per id in a realm.
CREATE CONSTRAINT store_item_id IF NOT EXISTS
FOR (n:StoreItem) REQUIRE (n.realm, n.id) IS UNIQUE;

// store_item_namespace: items of a namespace, and of those that begin with it.
CREATE RANGE INDEX store_item_namespace IF NOT EXISTS
FOR (n:StoreItem) ON (n.realm, n.namespace);

// store_item_expiry: items by the time at which they expire.
CREATE RANGE INDEX store_item_expiry IF NOT EXISTS
FOR (n:StoreItem) ON (n.realm, n.expires_at);
