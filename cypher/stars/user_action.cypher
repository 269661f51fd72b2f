// Applies an action of the user to a star: acknowledge, flag, contradict or confront it.
//
// Three contradictions or a flag make a star DARK. A confrontation score of 1 makes it DIM again,
// without flag and counts:
//   score = 0.4 * engagements + 0.4 * shadow tasks + 0.2 * acknowledged                   B-6
//
// Parameters: $id, $action, $settings, $realm
// Returns: before (state before), after (state after)
// Access: write

CYPHER 25
// Counts and score, with this action.
MATCH (star:Star {realm: $realm, id: $id})
WITH star, star.state AS before, $settings.confrontation_weight AS weight,
     star.contradictions + CASE $action WHEN 'contradict' THEN 1 ELSE 0 END AS contradictions,
     star.is_anti_pattern OR $action = 'flag_dark' AS flagged,
     CASE star.state
       WHEN 'DARK' THEN [
         star.confrontation_counts[0] + CASE $action WHEN 'engagement' THEN 1 ELSE 0 END,
         star.confrontation_counts[1] + CASE $action WHEN 'shadow_task' THEN 1 ELSE 0 END,
         CASE $action WHEN 'acknowledged' THEN 1 ELSE star.confrontation_counts[2] END
       ]
       ELSE [0, 0, 0]
     END AS counts
WITH *, weight.engagement * counts[0] + weight.shadow_task * counts[1]
        + weight.acknowledged * counts[2] AS score
// State after it.
WITH *, CASE
  WHEN before = 'DARK' AND score >= 1.0 - 1e-9 THEN 'DIM'
  WHEN flagged OR contradictions >= $settings.dark_contradictions THEN 'DARK'
  WHEN before = 'NASCENT' AND $action = 'acknowledge' THEN 'FLICKERING'
  ELSE before
END AS after
WITH *, before = 'DARK' AND after <> 'DARK' AS integrated
SET star.contradictions = CASE WHEN integrated THEN 0 ELSE contradictions END,
    star.is_anti_pattern = flagged AND NOT integrated,
    star.confrontation_counts = CASE WHEN integrated THEN [0, 0, 0] ELSE counts END,
    star.confrontation = CASE WHEN integrated THEN 0.0 ELSE score END,
    star.brightness = CASE
      WHEN before = 'NASCENT' AND after = 'FLICKERING'
      THEN coll.max([star.brightness, $settings.acknowledged_brightness])
      ELSE star.brightness
    END
FOREACH (_ IN CASE WHEN before <> after THEN [1] ELSE [] END |
  REMOVE star:Nascent:Dark:Flickering:Dim:Bright:Dormant
  SET star.state = after, star:$(left(after, 1) + toLower(substring(after, 1)))
)
RETURN before, after
