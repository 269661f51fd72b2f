// Returns figures about a realm's stars, and those without or with too many connections.
//
// Parameters: $settings, $realm
// Returns: stars (number of stars), connections (number of connections), density (share of possible
//   connections), bright_share (share of BRIGHT stars), dark_share (share of DARK stars), isolated
//   (stars without a connection), crowded (stars above the soft cap)
// Access: read

CYPHER 25
MATCH (star:Star) WHERE star.realm = $realm AND star.bucket >= 0
WITH star, COUNT {
  (star)-[:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
} AS degree
LET awake = CASE WHEN degree > $settings.soft_cap THEN COUNT {
  (star)-[link:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR|BLOCKS]-(:Star)
  WHERE link.state <> 'DORMANT' } ELSE 0 END
WITH count(star) AS stars, sum(degree) / 2 AS connections,
     sum(CASE star.state WHEN 'BRIGHT' THEN 1 ELSE 0 END) AS bright,
     sum(CASE star.state WHEN 'DARK' THEN 1 ELSE 0 END) AS dark,
     collect(CASE WHEN degree = 0 THEN star.id END) AS isolated,
     collect(CASE WHEN awake > $settings.soft_cap THEN star.id END) AS crowded
RETURN stars, connections,
       CASE WHEN stars > 1 THEN connections * 2.0 / (stars * (stars - 1)) ELSE 0.0 END AS density,
       CASE WHEN stars > 0 THEN toFloat(bright) / stars ELSE 0.0 END AS bright_share,
       CASE WHEN stars > 0 THEN toFloat(dark) / stars ELSE 0.0 END AS dark_share,
       isolated[..100] AS isolated, crowded[..100] AS crowded
