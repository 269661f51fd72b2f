// What breaks a rule of the realm itself: its entry, its hours, its border, captions, models.
//
// Parameters: $realm, $settings
// Returns: invariant, id, found, expected
// Access: read

CYPHER 25
CALL () {
  MATCH (n:Star|Memory|Actor|Moment|Narrative|Space|Thing|Intent|Consequence|Utterance|Session
         |Evidence|Prediction|BrightnessEvent|ConnectionChange|ArchivedConnection|Candidate|Run|Cursor
         |KeptStar|KeptConnection)
  WHERE n.realm = $realm AND n.id IS NOT NULL
  RETURN n, n.id AS id
UNION ALL
  MATCH (n:Name) WHERE n.realm = $realm AND n.key IS NOT NULL RETURN n, n.key AS id
UNION ALL
  MATCH (n:Term) WHERE n.realm = $realm AND n.stem IS NOT NULL RETURN n, n.stem AS id
UNION ALL
  OPTIONAL MATCH (n:Realm {realm: $realm}) RETURN n, $realm AS id
}
CALL (n) {
  WITH n WHERE n IS NULL OR (n:Realm AND (n.realm_key IS NULL OR n.created_at IS NULL))
  RETURN 'the realm is on the list' AS invariant, 'no whole entry' AS found, $realm AS expected
UNION ALL
  MATCH (n)-[r]-(far) WHERE coalesce(far.realm <> $realm, true) OR coalesce(r.realm, $realm) <> $realm
  RETURN 'nothing crosses to another realm' AS invariant,
         type(r) + ' ' + coalesce(r.realm, '') + ' to ' + coalesce(far.realm, 'no realm') AS found, $realm AS expected
UNION ALL
  WITH n WHERE coalesce(n.caption, '') = '' AND NOT n:Cursor AND NOT n:Evidence
  RETURN 'what people look at has a caption' AS invariant, 'none' AS found, 'a caption' AS expected
UNION ALL
  WITH n WHERE n.embedding IS NOT NULL
  OPTIONAL MATCH (model:EmbeddingModel {realm: $realm})
  WITH n, model WHERE coalesce(n.embedding_model <> model.name, true)
  RETURN 'vectors are of the realm\'s own model' AS invariant, n.embedding_model AS found, model.name AS expected
UNION ALL
  // Intervals are apart and in order, so their sum is at most the time since the first use.
  WITH n WHERE n:Realm AND n.active_intervals IS NOT NULL
  WITH n.active_intervals AS ends, n.active_micros - coalesce(n.active_uncovered, 0) AS counted
  WITH ends, counted, reduce(most = 0, at IN range(0, size(ends) - 2, 2) | most + ends[at + 1] - ends[at]) AS most
  WHERE counted > most OR ends <> coll.sort(ends)
  RETURN 'an active hour is counted once' AS invariant, toString(round(counted / 3.6e9, 3)) + ' hours' AS found,
         'at most ' + toString(round(most / 3.6e9, 3)) + ' hours' AS expected
}
RETURN invariant, id, found, expected ORDER BY invariant, id LIMIT $settings.offenders
