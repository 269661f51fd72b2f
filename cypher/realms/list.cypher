// Lists every realm on this server, by name, with the model of its vectors.
//
// A Realm node whose name is no text has left its realm: it is listed under the id of the node, by
// which it can be deleted. What can't be read of a damaged one is left out.
//
// Parameters: none
// Returns: name (of the realm), created_at (when, or null if that can't be read),
//   model (its name, or null before the first text), dimensions (of its vectors),
//   unfinished (an import was not completed), damaged (something of it can't be read)
// Access: read
// Scans: a realm has one Realm node, and the question is which there are
// Realms: all

CYPHER 25
MATCH (realm:Realm)
OPTIONAL MATCH (model:EmbeddingModel {realm: realm.realm})

// named, dated, counted, modelled: which facts of it can be read
LET named = realm.realm IS :: STRING NOT NULL,
    dated = CASE WHEN realm.created_at IS :: ZONED DATETIME NOT NULL
                 THEN 1 < realm.created_at.year < 9999 ELSE false END,
    counted = realm.text_count IS NULL
           OR CASE WHEN realm.text_count IS :: INTEGER NOT NULL
                   THEN 0 <= realm.text_count <= 1000000000000 ELSE false END,
    modelled = model IS NULL
            OR (model.name IS :: STRING NOT NULL AND model.dimensions IS :: INTEGER NOT NULL
                AND model.mean IS :: FLOAT NOT NULL AND model.spread IS :: FLOAT NOT NULL)

// its name, or the id of its node
RETURN CASE WHEN named THEN realm.realm ELSE 'damaged:' + elementId(realm) END AS name,
       CASE WHEN dated THEN realm.created_at END AS created_at,
       CASE WHEN model.name IS :: STRING THEN model.name END AS model,
       CASE WHEN model.dimensions IS :: INTEGER THEN model.dimensions END AS dimensions,
       realm.importing IS NOT NULL AS unfinished,
       NOT (named AND dated AND counted AND modelled) AS damaged
ORDER BY name
