// Writes down what was taken in, and moves the source on: replayed, it changes nothing twice.
//
// Parameters: $realm, $source, $newest, $sequence, $rows
// Returns: logged
// Access: write

CYPHER 25
MERGE (feed:Cursor {realm: $realm, id: $source})
SET feed.newest = CASE WHEN coalesce(feed.newest, $newest) > $newest THEN feed.newest ELSE $newest END,
    feed.sequence = CASE WHEN coalesce(feed.sequence, -1) > coalesce($sequence, -1)
                         THEN feed.sequence ELSE $sequence END
WITH feed
UNWIND $rows AS row
CREATE (evidence:Evidence {realm: $realm})
SET evidence += row
RETURN count(*) AS logged
