// Reads what breaks a rule of the realm itself: its entry, its hours, its border, captions, models.
//
// Parameters: $realm, $settings
// Returns: rule (rule that is broken), id (of what breaks it), value (that breaks it),
//   expected (a right value)
// Access: read

CYPHER 25
// nodes of the realm, and its entry, which may be missing
CALL () {
  MATCH (node:Star|Memory|Actor|Moment|Narrative|Space|Thing|Intent|Consequence|Utterance|Session
         |Evidence|Prediction|BrightnessEvent|ConnectionChange|ArchivedConnection|Candidate|Run
         |Cursor|KeptStar|KeptConnection|Expectation|StoreItem)
  WHERE node.realm = $realm AND node.id IS NOT NULL
  RETURN node, node.id AS id
UNION ALL
  MATCH (node:Name) WHERE node.realm = $realm AND node.key IS NOT NULL
  RETURN node, node.key AS id
UNION ALL
  MATCH (node:Term) WHERE node.realm = $realm AND node.stem IS NOT NULL
  RETURN node, node.stem AS id
UNION ALL
  OPTIONAL MATCH (node:Realm {realm: $realm}) RETURN node, $realm AS id
}
// rules, each with the value that breaks it
CALL (node) {
  WITH node
  WHERE node IS NULL OR (node:Realm AND (node.realm_key IS NULL OR node.created_at IS NULL))
  RETURN 'the realm is on the list' AS rule, 'no whole entry' AS value, $realm AS expected
UNION ALL
  MATCH (node)-[link]-(other)
  WHERE coalesce(other.realm <> $realm, true) OR coalesce(link.realm, $realm) <> $realm
  RETURN 'nothing crosses to another realm' AS rule,
         type(link) + ' ' + coalesce(link.realm, '') + ' to '
           + coalesce(other.realm, 'no realm') AS value, $realm AS expected
UNION ALL
  WITH node WHERE coalesce(node.caption, '') = '' AND NOT node:Cursor AND NOT node:Evidence
  RETURN 'what people look at has a caption' AS rule, 'none' AS value,
         'a caption' AS expected
UNION ALL
  WITH node WHERE node.embedding IS NOT NULL
  OPTIONAL MATCH (model:EmbeddingModel {realm: $realm})
  WITH node, model WHERE coalesce(node.embedding_model <> model.name, true)
  RETURN 'vectors are of the realm\'s own model' AS rule, node.embedding_model AS value,
         model.name AS expected
UNION ALL
  // Intervals are apart and in order, so their sum is at most the time since the first use.
  WITH node WHERE node:Realm AND node.active_intervals IS NOT NULL
  WITH node.active_intervals AS ends,
       node.active_micros - coalesce(node.active_uncovered, 0) AS counted
  WITH ends, counted, reduce(sum = 0, at IN range(0, size(ends) - 2, 2) |
                             sum + ends[at + 1] - ends[at]) AS most
  WHERE counted > most OR ends <> coll.sort(ends)
  RETURN 'an active hour is counted once' AS rule,
         toString(round(counted / 3.6e9, 3)) + ' hours' AS value,
         'at most ' + toString(round(most / 3.6e9, 3)) + ' hours' AS expected
}
RETURN rule, id, value, expected ORDER BY rule, id LIMIT $settings.offenders
