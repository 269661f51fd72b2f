// Returns the neighbours that lifted or drained a star at its last close, before the daily caps.
//
// Formulas: spill (S-21) and drain (S-22, S-26) of one neighbour, as in apply_effects.
//
// Parameters: $id, $settings, $realm
// Returns: star (id of the neighbour), name (its name), type (type of the connection), strength
//   (strength, 0 to 1), spill (brightness it added), drain (brightness it took)
// Access: read

CYPHER 25
MATCH (star:Star {realm: $realm, id: $id})
      -[link:RESONANCE|TENSION|SHADOW_MIRROR]-(neighbour:Star)
WHERE link.state_rank >= 2 AND star.state <> 'DORMANT' AND neighbour.state <> 'DORMANT'
LET strength = link.strength, kind = type(link), moved = neighbour.own_change
RETURN neighbour.id AS star, neighbour.name AS name, kind AS type, strength,
       CASE WHEN kind = 'RESONANCE' THEN moved * $settings.spillover * strength
         * CASE WHEN moved > 0 THEN 1.0 ELSE $settings.falling_factor END ELSE 0.0 END AS spill,
       CASE
         WHEN kind = 'TENSION' AND moved > $settings.tension_activation + 1e-9
           THEN moved * $settings.tension_drain * strength
         WHEN kind = 'SHADOW_MIRROR' AND neighbour.state = 'DARK'
           THEN $settings.shadow_drain * strength
             * coll.min([1.0 - coalesce(neighbour.own_brightness, neighbour.brightness),
                         $settings.dark_intensity_cap])
         ELSE 0.0 END AS drain
ORDER BY drain DESC, spill DESC, star
