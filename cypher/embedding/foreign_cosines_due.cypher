// Reads how many texts a realm has, and had when the cosines of foreign questions were measured.
//
// Parameters: $realm
// Returns: texts (number of indexed texts), measured (that number when they were measured or null)
// Access: read

CYPHER 25
MATCH (realm:Realm {realm: $realm}), (model:EmbeddingModel {realm: $realm})
RETURN coalesce(realm.text_count, 0) AS texts, model.foreign_texts AS measured
