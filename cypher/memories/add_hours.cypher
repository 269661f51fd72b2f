// Adds the times in which a realm was used to its active hours, each hour once.
//
// What several graphs, processes and workers report is joined: an interval adds only what none
// before it has covered, so it may come late, twice or from several at once. The realm keeps the
// last 64 intervals apart, and takes what lies between older ones for counted.
//
// Parameters: $realm, $now, $intervals
// Returns: active, covered
// Access: write

CYPHER 25
MATCH (realm:Realm {realm: $realm})
SET realm.locked_at = $now
// The intervals that are counted already, from the flat list of their ends.
WITH realm, coalesce(realm.active_micros, 0) AS before, realm.active_intervals AS ends
WITH realm, before, ends IS NULL AND before > 0 AS old,
     [at IN range(0, size(coalesce(ends, [])) - 2, 2) | [ends[at], ends[at + 1]]] AS covered
// Each new interval is joined with those that it touches, and adds what they do not cover.
WITH realm, before, old, reduce(state = {covered: covered, added: 0}, new IN $intervals | {
  added: state.added + new[1] - new[0] - reduce(both = 0,
    one IN [c IN state.covered WHERE c[0] < new[1] AND c[1] > new[0]] |
    both + coll.min([one[1], new[1]]) - coll.max([one[0], new[0]])),
  covered: coll.sort([c IN state.covered WHERE c[0] > new[1] OR c[1] < new[0]] + [[
    coll.min([c IN state.covered WHERE c[0] <= new[1] AND c[1] >= new[0] | c[0]] + new[0]),
    coll.max([c IN state.covered WHERE c[0] <= new[1] AND c[1] >= new[0] | c[1]] + new[1])]])
}) AS state
// The oldest become one, so that the list stays short.
WITH realm, before, old, state.added AS added,
     CASE WHEN size(state.covered) <= 64 THEN state.covered
          ELSE [[state.covered[0][0], state.covered[-64][1]]] + state.covered[-63..] END AS covered
SET realm.active_micros = before + added,
    realm.active_intervals = reduce(ends = [], one IN covered | ends + one),
    realm.active_uncovered = CASE WHEN old THEN before ELSE realm.active_uncovered END
RETURN realm.active_micros AS active, realm.active_intervals AS covered
