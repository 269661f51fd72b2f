// What a change of one star would do to others, hop by hop, without writing anything (D-46).
//
// Resonance passes on: 15 % of the change times strength, then half of that times strength for
// each further hop; no connection twice, and back at the star it ends. Tension reaches one hop.
//
// Parameters: $id, $delta, $hops, $settings, $realm
// Returns: star, name, hop, type, effect, path
// Access: read

CYPHER 25
MATCH path = (origin:Star {realm: $realm, id: $id})-[links:RESONANCE|TENSION*1..3]-(star:Star)
WHERE length(path) <= $hops
  AND all(r IN links WHERE r.state_rank >= 2)
  AND all(n IN nodes(path) WHERE n.state <> 'DORMANT')
  AND none(n IN nodes(path)[1..-1] WHERE n = origin)
  AND (length(path) = 1 OR all(r IN links WHERE type(r) = 'RESONANCE'))
LET strength = reduce(s = 1.0, r IN links | s * r.strength), kind = type(links[0])
LET effect = CASE kind
      WHEN 'RESONANCE' THEN $delta * $settings.spillover * strength
        * CASE WHEN $delta > 0 THEN 1.0 ELSE $settings.falling_factor END
        * $settings.hop_factor ^ (length(path) - 1)
      WHEN 'TENSION' THEN CASE WHEN $delta > $settings.tension_activation + 1e-9
        THEN -$delta * $settings.tension_drain * strength ELSE 0.0 END
    END
RETURN star.id AS star, star.name AS name, length(path) AS hop, kind AS type, effect,
       [n IN nodes(path) | n.id] AS path
ORDER BY hop, abs(effect) DESC, star
