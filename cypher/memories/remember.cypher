// Writes text memories; one that is there already is left as it is, unless it had been set aside.
//
// They queue in the order of their arrival, which the locked counter tells apart however many
// arrive at one instant. What had no usable vector waits again: the model may be a better one.
//
// Parameters: $realm, $now, $rows
// Returns: id, created, same
// Access: write

CYPHER 25
MERGE (queue:Cursor {realm: $realm, id: 'arrivals'})
SET queue.locked_at = $now
WITH queue, coalesce(queue.arrivals, 0) AS before
SET queue.arrivals = before + size($rows)
WITH before
UNWIND range(0, size($rows) - 1) AS number
WITH before + number AS arrival, $rows[number] AS row
MERGE (m:Memory {realm: $realm, id: row.id})
ON CREATE SET m:Text, m += row.properties, m.created = row.token, m.remembered_at = $now,
              m.arrival = arrival
FOREACH (again IN CASE WHEN m.set_aside IS NOT NULL AND m.digest = row.properties.digest
                       THEN [m] ELSE [] END |
  SET again.waiting = true, again.unembedded = true
  REMOVE again.set_aside)
RETURN m.id AS id, coalesce(m.created, '') = row.token AS created, m.digest = row.properties.digest AS same
