// Who lifted and who drained a star at its last close, before the daily caps.
//
// Parameters: $id, $settings, $realm
// Returns: star, name, type, strength, spill, drain
// Access: read

CYPHER 25
MATCH (t:Star {realm: $realm, id: $id})
      -[r:RESONANCE|TENSION|SHADOW_MIRROR]-(o:Star)
WHERE r.state_rank >= 2 AND t.state <> 'DORMANT' AND o.state <> 'DORMANT'
LET s = r.strength, moved = o.own_delta
RETURN o.id AS star, o.name AS name, type(r) AS type, s AS strength,
       CASE WHEN type(r) = 'RESONANCE' THEN moved * $settings.spillover * s
         * CASE WHEN moved > 0 THEN 1.0 ELSE $settings.falling_factor END ELSE 0.0 END AS spill,
       CASE
         WHEN type(r) = 'TENSION' AND moved > $settings.tension_activation + 1e-9
           THEN moved * $settings.tension_drain * s
         WHEN type(r) = 'SHADOW_MIRROR' AND o.state = 'DARK' THEN $settings.shadow_drain * s
           * coll.min([1.0 - coalesce(o.own_brightness, o.brightness), $settings.dark_intensity_cap])
         ELSE 0.0 END AS drain
ORDER BY drain DESC, spill DESC, star
