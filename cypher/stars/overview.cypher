// A realm's stars in figures, and those that deserve a look: alone, or connected too much.
//
// Parameters: $settings, $realm
// Returns: stars, connections, density, bright_share, dark_share, isolated, crowded
// Access: read

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
WITH star, COUNT {
  (star)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
} AS degree
LET crowd = CASE WHEN degree > $settings.soft_cap THEN COUNT {
  (star)-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
  WHERE r.state <> 'DORMANT' } ELSE 0 END
WITH count(star) AS stars, sum(degree) / 2 AS connections,
     sum(CASE star.state WHEN 'BRIGHT' THEN 1 ELSE 0 END) AS bright,
     sum(CASE star.state WHEN 'DARK' THEN 1 ELSE 0 END) AS dark,
     collect(CASE WHEN degree = 0 THEN star.id END) AS isolated,
     collect(CASE WHEN crowd > $settings.soft_cap THEN star.id END) AS crowded
RETURN stars, connections,
       CASE WHEN stars > 1 THEN connections * 2.0 / (stars * (stars - 1)) ELSE 0.0 END AS density,
       CASE WHEN stars > 0 THEN toFloat(bright) / stars ELSE 0.0 END AS bright_share,
       CASE WHEN stars > 0 THEN toFloat(dark) / stars ELSE 0.0 END AS dark_share,
       isolated[..100] AS isolated, crowded[..100] AS crowded
