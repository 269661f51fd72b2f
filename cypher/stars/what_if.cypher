// Returns what a change of one star would do to others, hop by hop, without writing (D-46).
//
// Formulas, of strength = product of the strengths on the path:
//   RESONANCE: delta * spillover * strength * hop_factor ^ (hops - 1), times falling_factor   S-21
//              for a fall
//   TENSION:   -delta * tension_drain * strength for a rise, over one hop only                S-22
// No connection counts twice on a path, and a path ends where it is back at its star.
//
// Parameters: $id, $delta, $hops, $settings, $realm
// Returns: star (star id), name (name of the star), hop (length of the path), type (type of the
//   first connection), effect (change of brightness), path (ids from the origin on)
// Access: read

CYPHER 25
MATCH path = (origin:Star {realm: $realm, id: $id})-[links:RESONANCE|TENSION*1..3]-(star:Star)
WHERE length(path) <= $hops
  AND all(link IN links WHERE link.state_rank >= 2)
  AND all(member IN nodes(path) WHERE member.state <> 'DORMANT')
  AND none(between IN nodes(path)[1..-1] WHERE between = origin)
  AND (length(path) = 1 OR all(link IN links WHERE type(link) = 'RESONANCE'))
LET strength = reduce(product = 1.0, link IN links | product * link.strength), kind = type(links[0])
LET effect = CASE kind
      WHEN 'RESONANCE' THEN $delta * $settings.spillover * strength
        * CASE WHEN $delta > 0 THEN 1.0 ELSE $settings.falling_factor END
        * $settings.hop_factor ^ (length(path) - 1)
      WHEN 'TENSION' THEN CASE WHEN $delta > $settings.tension_activation + 1e-9
        THEN -$delta * $settings.tension_drain * strength ELSE 0.0 END
    END
RETURN star.id AS star, star.name AS name, length(path) AS hop, kind AS type, effect,
       [member IN nodes(path) | member.id] AS path
ORDER BY hop, abs(effect) DESC, star
