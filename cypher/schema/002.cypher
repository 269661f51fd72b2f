// Indexes the stars and what became of them.
//
// Parameters: none
// Returns: nothing
// Access: schema

CYPHER 25

// archived_connection_pair: connections that ended, by pair.
CREATE INDEX archived_connection_pair IF NOT EXISTS
FOR (n:ArchivedConnection) ON (n.realm, n.pair_key, n.archived_at);

// brightness_event_day: brightness events of a day.
CREATE INDEX brightness_event_day IF NOT EXISTS
FOR (n:BrightnessEvent) ON (n.realm, n.day);

// brightness_event_star: brightness events of a star, in time.
CREATE INDEX brightness_event_star IF NOT EXISTS
FOR (n:BrightnessEvent) ON (n.realm, n.star, n.at);

// connection_change_pair: what changed between two stars, in time.
CREATE INDEX connection_change_pair IF NOT EXISTS
FOR (n:ConnectionChange) ON (n.realm, n.pair_key, n.day);

// evidence_pair: evidence of a pair of stars, by the time observed.
CREATE INDEX evidence_pair IF NOT EXISTS
FOR (n:Evidence) ON (n.realm, n.pair_key, n.observed_at);

// prediction_pair: predictions of a pair of stars.
CREATE INDEX prediction_pair IF NOT EXISTS
FOR (n:Prediction) ON (n.realm, n.pair_key);

// prediction_status: predictions by status: the open ones are asked for daily.
CREATE INDEX prediction_status IF NOT EXISTS
FOR (n:Prediction) ON (n.realm, n.status);

// star_bucket: stars in buckets: what the daily close walks in batches.
CREATE INDEX star_bucket IF NOT EXISTS
FOR (n:Star) ON (n.realm, n.bucket);

// star_next_state: stars whose state is about to change, for the end of a close.
CREATE INDEX star_next_state IF NOT EXISTS
FOR (n:Star) ON (n.realm, n.next_state);
