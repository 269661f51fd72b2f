// Adds a star, and remembers on which day its constellation began.
//
// A star is closed for the first time on the first open day after it was added: what it is given
// here is how it stands now, whenever it was created.
//
// Parameters: $id, $name, $domain, $constellation, $brightness, $state, $label, $created_at,
//   $created_day, $today, $bucket, $settings, $realm
// Returns: id
// Access: write

CYPHER 25
MERGE (constellation:Cursor {realm: $realm, id: 'constellation/' + $constellation})
SET constellation.start_day =
  coll.min([coalesce(constellation.start_day, $created_day), $created_day])
MERGE (close:Cursor {realm: $realm, id: 'stars/close'})
ON CREATE SET close.day = $today - 1, close.since = $today
WITH coll.max([$today - 1, close.day]) AS closed
CREATE (star:Star {
  realm: $realm, id: $id, name: $name, domain: $domain, constellation_id: $constellation,
  state: $state, brightness: $brightness, previous_brightness: $brightness, own_delta: 0.0,
  variance: CASE $state WHEN 'NASCENT' THEN $settings.nascent_variance ELSE 0.0 END,
  run_days: 0, effective_max: 1.0, impact_multiplier: 1.0, contradictions: 0,
  is_anti_pattern: $state = 'DARK', confrontation: 0.0, confronted: [0, 0, 0],
  created_at: $created_at, last_engaged: $created_at, engaged_day: $created_day,
  engaged_days: [$created_day], hist: [], hist_end_day: closed, own_day: closed,
  event_ref: 0.0, bucket: $bucket, caption: $name
})
SET star:$($label)
RETURN star.id AS id
