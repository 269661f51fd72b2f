// Makes ids unique in each realm, and indexes the vectors.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25

// actor_id: one Actor per id in a realm.
CREATE CONSTRAINT actor_id IF NOT EXISTS
FOR (n:Actor) REQUIRE (n.realm, n.id) IS UNIQUE;

// archived_connection_id: one ArchivedConnection per id in a realm.
CREATE CONSTRAINT archived_connection_id IF NOT EXISTS
FOR (n:ArchivedConnection) REQUIRE (n.realm, n.id) IS UNIQUE;

// brightness_event_id: one BrightnessEvent per id in a realm.
CREATE CONSTRAINT brightness_event_id IF NOT EXISTS
FOR (n:BrightnessEvent) REQUIRE (n.realm, n.id) IS UNIQUE;

// candidate_id: one Candidate per id in a realm.
CREATE CONSTRAINT candidate_id IF NOT EXISTS
FOR (n:Candidate) REQUIRE (n.realm, n.id) IS UNIQUE;

// connection_change_id: one ConnectionChange per id in a realm.
CREATE CONSTRAINT connection_change_id IF NOT EXISTS
FOR (n:ConnectionChange) REQUIRE (n.realm, n.id) IS UNIQUE;

// consequence_id: one Consequence per id in a realm.
CREATE CONSTRAINT consequence_id IF NOT EXISTS
FOR (n:Consequence) REQUIRE (n.realm, n.id) IS UNIQUE;

// cursor_id: one Cursor per id in a realm.
CREATE CONSTRAINT cursor_id IF NOT EXISTS
FOR (n:Cursor) REQUIRE (n.realm, n.id) IS UNIQUE;

// embedding_model_realm: one EmbeddingModel per realm, since vectors of two models are never mixed.
CREATE CONSTRAINT embedding_model_realm IF NOT EXISTS
FOR (n:EmbeddingModel) REQUIRE n.realm IS UNIQUE;

// evidence_id: one Evidence per id in a realm.
CREATE CONSTRAINT evidence_id IF NOT EXISTS
FOR (n:Evidence) REQUIRE (n.realm, n.id) IS UNIQUE;

// intent_id: one Intent per id in a realm.
CREATE CONSTRAINT intent_id IF NOT EXISTS
FOR (n:Intent) REQUIRE (n.realm, n.id) IS UNIQUE;

// knowledge_embedding: vectors of memories and narratives, filtered by realm inside the index.
// No dimension is fixed, so that realms with different models live on one server. The vectors are
// not shortened: a shortened index fails as soon as a search asks for more than it holds and one of
// its vectors has been removed.
CREATE VECTOR INDEX knowledge_embedding IF NOT EXISTS
FOR (n:Memory|Narrative) ON n.embedding WITH [n.realm, n.kind]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false
}};

// link_id: one LINK per id in a realm.
CREATE CONSTRAINT link_id IF NOT EXISTS
FOR ()-[r:LINK]-() REQUIRE (r.realm, r.id) IS UNIQUE;

// memory_id: one Memory per id in a realm.
CREATE CONSTRAINT memory_id IF NOT EXISTS
FOR (n:Memory) REQUIRE (n.realm, n.id) IS UNIQUE;

// moment_id: one Moment per id in a realm.
CREATE CONSTRAINT moment_id IF NOT EXISTS
FOR (n:Moment) REQUIRE (n.realm, n.id) IS UNIQUE;

// name_key: one Name per key in a realm.
CREATE CONSTRAINT name_key IF NOT EXISTS
FOR (n:Name) REQUIRE (n.realm, n.key) IS UNIQUE;

// narrative_id: one Narrative per id in a realm.
CREATE CONSTRAINT narrative_id IF NOT EXISTS
FOR (n:Narrative) REQUIRE (n.realm, n.id) IS UNIQUE;

// prediction_id: one Prediction per id in a realm.
CREATE CONSTRAINT prediction_id IF NOT EXISTS
FOR (n:Prediction) REQUIRE (n.realm, n.id) IS UNIQUE;

// realm_name: one Realm node per realm.
CREATE CONSTRAINT realm_name IF NOT EXISTS
FOR (n:Realm) REQUIRE n.realm IS UNIQUE;

// run_id: one Run per id in a realm.
CREATE CONSTRAINT run_id IF NOT EXISTS
FOR (n:Run) REQUIRE (n.realm, n.id) IS UNIQUE;

// schema_version_id: one SchemaVersion per database.
CREATE CONSTRAINT schema_version_id IF NOT EXISTS
FOR (n:SchemaVersion) REQUIRE n.id IS UNIQUE;

// session_id: one Session per id in a realm.
CREATE CONSTRAINT session_id IF NOT EXISTS
FOR (n:Session) REQUIRE (n.realm, n.id) IS UNIQUE;

// similar_edge_id: one SIMILAR per pair of memories in a realm.
CREATE CONSTRAINT similar_edge_id IF NOT EXISTS
FOR ()-[r:SIMILAR]-() REQUIRE (r.realm, r.edge_id) IS UNIQUE;

// space_id: one Space per id in a realm.
CREATE CONSTRAINT space_id IF NOT EXISTS
FOR (n:Space) REQUIRE (n.realm, n.id) IS UNIQUE;

// star_id: one Star per id in a realm.
CREATE CONSTRAINT star_id IF NOT EXISTS
FOR (n:Star) REQUIRE (n.realm, n.id) IS UNIQUE;

// term_stem: one Term per stem in a realm.
CREATE CONSTRAINT term_stem IF NOT EXISTS
FOR (n:Term) REQUIRE (n.realm, n.stem) IS UNIQUE;

// thing_id: one Thing per id in a realm.
CREATE CONSTRAINT thing_id IF NOT EXISTS
FOR (n:Thing) REQUIRE (n.realm, n.id) IS UNIQUE;

// utterance_id: one Utterance per id in a realm.
CREATE CONSTRAINT utterance_id IF NOT EXISTS
FOR (n:Utterance) REQUIRE (n.realm, n.id) IS UNIQUE;
