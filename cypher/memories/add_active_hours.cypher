// Adds the times in which a realm was used to its active hours, each hour once.
//
// What several graphs, processes and workers report is joined: an interval adds only the part that
// none before it has covered, so it may come late, twice or from several at once. The realm keeps
// the last 64 intervals apart, and takes the time between older ones as counted.
//
// Parameters: $realm, $now, $intervals
// Returns: active (microseconds), covered (ends of the intervals, in microseconds, as a flat list)
// Access: write
// Locks: the Realm node

CYPHER 25
MATCH (realm:Realm {realm: $realm})
SET realm.locked_at = $now
// The intervals that are counted already, as pairs; an old realm has a sum without intervals.
WITH realm, coalesce(realm.active_micros, 0) AS before, realm.active_intervals AS ends
WITH realm, before, ends IS NULL AND before > 0 AS is_old,
     [at IN range(0, size(coalesce(ends, [])) - 2, 2) | [ends[at], ends[at + 1]]] AS covered
// Each new interval is joined with those that it touches, and adds the part they do not cover.
WITH realm, before, is_old, reduce(total = {covered: covered, added: 0}, new IN $intervals | {
  added: total.added + new[1] - new[0] - reduce(overlap = 0,
    old IN [pair IN total.covered WHERE pair[0] < new[1] AND pair[1] > new[0]] |
    overlap + coll.min([old[1], new[1]]) - coll.max([old[0], new[0]])),
  covered: coll.sort([pair IN total.covered WHERE pair[0] > new[1] OR pair[1] < new[0]] + [[
    coll.min([pair IN total.covered WHERE pair[0] <= new[1] AND pair[1] >= new[0] | pair[0]]
             + new[0]),
    coll.max([pair IN total.covered WHERE pair[0] <= new[1] AND pair[1] >= new[0] | pair[1]]
             + new[1])]])
}) AS total
// The oldest intervals become one, so that the list stays short.
WITH realm, before, is_old, total.added AS added,
     CASE WHEN size(total.covered) <= 64 THEN total.covered
          ELSE [[total.covered[0][0], total.covered[-64][1]]] + total.covered[-63..] END AS covered
SET realm.active_micros = before + added,
    realm.active_intervals = reduce(ends = [], pair IN covered | ends + pair),
    realm.active_uncovered = CASE WHEN is_old THEN before ELSE realm.active_uncovered END
RETURN realm.active_micros AS active, realm.active_intervals AS covered
