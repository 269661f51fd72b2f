// Raises the ceilings of stars whose blocks have ended or got weaker (S-27, S-28).
//
// A ceiling falls at the close only; what no block holds down any more rises at once. Answers with the stars whose ceilings rose.
//
// Parameters: $ids, $settings, $realm
// Returns: id
// Access: write

CYPHER 25
UNWIND $ids AS id
MATCH (star:Star {realm: $realm, id: id})
OPTIONAL MATCH (star)<-[r:BLOCKS]-(blocker:Star)
WHERE r.block_active AND blocker.state <> 'DORMANT' AND star.state <> 'DORMANT'
WITH star, 1.0 - $settings.block_factor * coalesce(max(r.strength), 0.0) AS top
WHERE top > star.effective_max
SET star.effective_max = top
RETURN star.id AS id
