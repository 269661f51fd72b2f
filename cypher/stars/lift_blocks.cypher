// Raises the ceilings of stars whose blocks have ended or got weaker (S-27, S-28).
//
// Formula: ceiling = 1 - block_factor * greatest strength of a block that holds, as in
// apply_own_day. A ceiling falls at the close only; where no block holds, it rises at once.
//
// Parameters: $ids, $settings, $realm
// Returns: nothing
// Access: write

CYPHER 25
UNWIND $ids AS id
MATCH (star:Star {realm: $realm, id: id})
OPTIONAL MATCH (star)<-[block:BLOCKS]-(blocker:Star)
WHERE block.block_active AND blocker.state <> 'DORMANT' AND star.state <> 'DORMANT'
WITH star, 1.0 - $settings.block_factor * coalesce(max(block.strength), 0.0) AS ceiling
WHERE ceiling > star.effective_max
SET star.effective_max = ceiling
