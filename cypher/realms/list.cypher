// Every realm on this server, by name, and the model its vectors were made with.
//
// A Realm node whose name is no text has left its realm: it is listed under the id of the node, by
// which it can be deleted. What can't be read of a damaged one is left out.
//
// Parameters: none
// Returns: name, created_at, model, dimensions, unfinished, damaged
// Access: read
// Scans: a realm has one Realm node, and the question is which there are
// Realms: all

CYPHER 25
MATCH (realm:Realm)
OPTIONAL MATCH (model:EmbeddingModel {realm: realm.realm})
LET named = realm.realm IS :: STRING NOT NULL,
    dated = CASE WHEN realm.created_at IS :: ZONED DATETIME NOT NULL
                 THEN 1 < realm.created_at.year < 9999 ELSE false END,
    counted = realm.n IS NULL
           OR CASE WHEN realm.n IS :: INTEGER NOT NULL
                   THEN 0 <= realm.n <= 1000000000000 ELSE false END,
    modelled = model IS NULL
            OR (model.name IS :: STRING NOT NULL AND model.dimensions IS :: INTEGER NOT NULL
                AND model.mean IS :: FLOAT NOT NULL AND model.spread IS :: FLOAT NOT NULL)
RETURN CASE WHEN named THEN realm.realm ELSE 'damaged:' + elementId(realm) END AS name,
       CASE WHEN dated THEN realm.created_at END AS created_at,
       CASE WHEN model.name IS :: STRING THEN model.name END AS model,
       CASE WHEN model.dimensions IS :: INTEGER THEN model.dimensions END AS dimensions,
       realm.importing IS NOT NULL AS unfinished,
       NOT (named AND dated AND counted AND modelled) AS damaged
ORDER BY name
