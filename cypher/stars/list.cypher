// Returns stars, brightest first, of one constellation or state, or of all.
//
// Parameters: $constellation, $state, $limit, $realm
// Returns: id (star id), name (name of the star), domain (domain of life), constellation
//   (constellation id), state (state), brightness (brightness, 0 to 1), connections (number of
//   awake connections)
// Access: read

CYPHER 25
MATCH (star:Star)
WHERE star.realm = $realm AND star.bucket >= 0
  AND ($constellation IS NULL OR star.constellation_id = $constellation)
  AND ($state IS NULL OR star.state = $state)
WITH star ORDER BY star.brightness DESC, star.id LIMIT $limit
RETURN star.id AS id, star.name AS name, star.domain AS domain,
       star.constellation_id AS constellation, star.state AS state, star.brightness AS brightness,
       COUNT { (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
               WHERE link.state <> 'DORMANT' } AS connections
ORDER BY brightness DESC, id
