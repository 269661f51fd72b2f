// Adds a star, and stores the day on which its constellation began.
//
// A star is closed for the first time on the first open day after it was added, whenever it was
// created: its brightness is that of now.
//
// Parameters: $id, $name, $domain, $constellation, $brightness, $state, $label, $created_at,
//   $created_day, $today, $bucket, $aliases, $content, $settings, $realm
// Returns: nothing
// Access: write

CYPHER 25
// The first days of the constellation and of the daily close.
MERGE (constellation:Cursor {realm: $realm, id: 'constellation/' + $constellation})
SET constellation.start_day =
  coll.min([coalesce(constellation.start_day, $created_day), $created_day])
MERGE (close:Cursor {realm: $realm, id: 'stars/close'})
ON CREATE SET close.day = $today - 1, close.since = $today
// The star, with the label of its state.
WITH coll.max([$today - 1, close.day]) AS closed
CREATE (star:Star {
  realm: $realm, id: $id, name: $name, domain: $domain, constellation_id: $constellation,
  state: $state, brightness: $brightness, previous_brightness: $brightness, own_change: 0.0,
  variance: CASE $state WHEN 'NASCENT' THEN $settings.nascent_variance ELSE 0.0 END,
  run_days: 0, effective_max: 1.0, impact_multiplier: 1.0, contradictions: 0,
  is_anti_pattern: $state = 'DARK', confrontation: 0.0, confrontation_counts: [0, 0, 0],
  created_at: $created_at, last_engaged: $created_at, engaged_day: $created_day,
  engaged_days: [$created_day], daily_closes: [], closed_day: closed, own_day: closed,
  change_since_event: 0.0, bucket: $bucket, caption: $name,
  aliases: $aliases, content: $content
})
SET star:$($label)
