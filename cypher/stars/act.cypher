// What a person says about a star: acknowledges it, flags it, contradicts it, confronts it.
//
// Three contradictions or a flag make a star DARK; a confrontation score of 1 (B-6) makes it DIM
// again, with a clean slate.
//
// Parameters: $id, $act, $settings, $realm
// Returns: before, after
// Access: write

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
WITH star, star.state AS before,
     star.contradictions + CASE $act WHEN 'contradict' THEN 1 ELSE 0 END AS contradictions,
     star.is_anti_pattern OR $act = 'flag_dark' AS flagged,
     CASE star.state
       WHEN 'DARK' THEN [
         star.confronted[0] + CASE $act WHEN 'engagement' THEN 1 ELSE 0 END,
         star.confronted[1] + CASE $act WHEN 'shadow_task' THEN 1 ELSE 0 END,
         CASE $act WHEN 'acknowledged' THEN 1 ELSE star.confronted[2] END
       ]
       ELSE [0, 0, 0]
     END AS confronted, $settings.confrontation_weight AS weight
WITH *, weight.engagement * confronted[0] + weight.shadow_task * confronted[1]
        + weight.acknowledged * confronted[2] AS score
WITH *, CASE
  WHEN before = 'DARK' AND score >= 1.0 - 1e-9 THEN 'DIM'
  WHEN flagged OR contradictions >= $settings.dark_contradictions THEN 'DARK'
  WHEN before = 'NASCENT' AND $act = 'acknowledge' THEN 'FLICKERING'
  ELSE before
END AS after
WITH *, before = 'DARK' AND after <> 'DARK' AS integrated
SET star.contradictions = CASE WHEN integrated THEN 0 ELSE contradictions END,
    star.is_anti_pattern = flagged AND NOT integrated,
    star.confronted = CASE WHEN integrated THEN [0, 0, 0] ELSE confronted END,
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
