// Every realm on this server, by name, and the model its vectors were made with.
//
// Parameters: none
// Returns: name, created_at, model, dimensions, unfinished
// Access: read
// Scans: a realm has one Realm node, and the question is which there are
// Realms: all

CYPHER 25
MATCH (realm:Realm)
OPTIONAL MATCH (model:EmbeddingModel {realm: realm.realm})
RETURN realm.realm AS name, realm.created_at AS created_at,
       model.name AS model, model.dimensions AS dimensions,
       realm.importing IS NOT NULL AS unfinished
ORDER BY name
