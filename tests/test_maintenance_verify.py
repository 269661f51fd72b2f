"""Every rule that must always hold is found broken, one by one, and no other rule with it."""

import re
from dataclasses import replace
from typing import Any, cast

import pytest

from asterism import statements
from asterism.clock import FixedClock
from asterism.database import Transaction
from asterism.graph import Graph
from asterism.maintenance.verify import STATEMENTS, arguments
from asterism.settings import valid_settings
from asterism.timestamps import epoch_day
from tests.conftest import OpenGraph
from tests.support.maintenance_world import Words, begin, live

TEXT = "MATCH (m:Memory {realm: $realm, id: 'text 0 0'}) "
LEVEL = "MATCH (m:MarketLevel {realm: $realm}) WITH m LIMIT 1 "
EDGE = "MATCH (a:Memory {realm: $realm})-[r:SIMILAR]->(b) WITH a, r, b LIMIT 1 "
INTENT = "MATCH (i:Intent {realm: $realm, claimed: true}) WITH i LIMIT 1 "
CAUSE = "MATCH (i:Intent {realm: $realm})-[r:CAUSES]->(c) WITH i, r, c LIMIT 1 "
LINK = "MATCH (a {realm: $realm})-[r:LINK {id: 'Ada mill'}]->(b) "
STAR = "MATCH (s:Star {realm: $realm, id: 'trust'}) "
TIE = (
    "MATCH (a:Star {realm: $realm})-[r:RESONANCE|TENSION|CAUSATION|GROWTH_EDGE|SHADOW_MIRROR"
    "|BLOCKS]->(b:Star) WITH a, r, b LIMIT 1 "
)
CEILING = "the ceiling of similarities holds"  # needs no more than a setting
BROKEN = {
    "stars": {
        "brightness is in range": STAR + "SET s.brightness = 1.2",
        "spill and drain are capped": STAR + "SET s.drain = 0.2",
        "a star moves others by what it really moved": STAR
        + "SET s.own_change_unclamped = 0.0, s.own_day = s.closed_day, s.own_change = 0.5, "
        "s.own_brightness = s.previous_brightness",
        "only a block that holds lowers a ceiling": STAR + "SET s.effective_max = 0.95",
        "what slept because of a star wakes with it": TIE
        + "SET r.state = 'DORMANT', r.dormant_reason = 'STAR', a.state = 'DIM', b.state = 'DIM'",
        "the second label is the state": STAR + "SET s:Extra",
        "strength is in range": TIE + "SET r.strength = -0.1",
        "the daily gain is capped": TIE + "SET r.strength_gained_today = 0.9, r.gains_day = $today",
        "one connection joins a pair": TIE + "CREATE (a)-[x:RESONANCE]->(b) SET x = properties(r), "
        "x.id = 'twice'",
        "a sleeping or new star has no active connection": TIE
        + "SET r.state = 'WEAK' SET a.state = 'DORMANT' REMOVE a:$(labels(a)) SET a:Star:Dormant",
        "no day is closed ahead of its time": TIE + "SET r.decayed_day = r.decayed_day + 9",
    },
    "memories": {
        "strength is in range": TEXT + "SET m.strength = 1.5",
        "confidence is in range": TEXT + "SET m.confidence = null",
        "a memory fades from an anchor at a rate": TEXT + "SET m.rate = null",
        "the label is the kind": LEVEL + "SET m.kind = 'text'",
        "the state is known": TEXT + "SET m.state = 'asleep'",
        "what is archived is labelled so": TEXT + "SET m.archived_at = m.archive_at",
        "what is not archived has a day when it will be": TEXT + "SET m.archive_at = null",
        "evidence belongs to a memory": "CREATE (:Evidence {realm: $realm, id: 'lost', "
        "memory_id: 'nobody'})",
        "an event id belongs to a source": "MATCH (e:Evidence {realm: $realm}) WHERE e.memory_id "
        "IS NOT NULL WITH e LIMIT 1 SET e.source = 'another'",
        "what superseded a memory is joined with it": TEXT + "SET m.superseded_by = 'nobody'",
        "no memory supersedes itself": TEXT + "MERGE (m)-[s:SUPERSEDES]->(m) "
        "SET m.superseded_by = m.id",
        "a text has no place of its own": "CREATE (:Cursor {realm: $realm, id: 'place:text gone'})",
        "a noted pair is of memories": "CREATE (:Candidate {realm: $realm, id: 'together:x', "
        "low: 'gone', high: 'lost'})",
        "strength in the log is in range": "MATCH (e:Evidence {realm: $realm}) WHERE e.memory_id "
        "IS NOT NULL WITH e LIMIT 1 SET e.strength = 7.0",
        "the weight of an edge is in range": EDGE + "SET r.weight = 1.01",
        "no memory is joined with itself": TEXT + "CREATE (m)-[:SUPPORTS {realm: $realm, "
        "weight: 0.5}]->(m)",
        "an edge joins memories": TEXT + STAR + "CREATE (m)-[:SUPPORTS {realm: $realm, "
        "weight: 0.5}]->(s)",
    },
    "consolidation": {
        "a text has one standing": TEXT + "SET m.waiting = true",
        "only what waits is claimed": TEXT + "SET m.claimed_by = 'a run'",
        "what is consolidated has its vector": TEXT + "REMOVE m.embedding",
        "a duplicate says of what": TEXT + "SET m.state = 'duplicate'",
        "a duplicate has a vector if its original has one": "MATCH (m:Memory {realm: $realm, "
        "state: 'duplicate'}) WITH m LIMIT 1 REMOVE m.embedding",
        "places are given once, up to the cursor": TEXT + "SET m.promoted_seq = 9999",
        "both ends of a similarity are consolidated": EDGE + "SET b.waiting = true "
        "REMOVE b.promoted_seq",
        "a similarity starts at the lesser id": EDGE + "CREATE (b)-[x:SIMILAR]->(a) "
        "SET x.realm = $realm, x.edge_id = 'turned', x.weight = r.weight DELETE r",
        "a similarity has its id and its realm": EDGE + "SET r.edge_id = null",
        "one similarity joins a pair": EDGE + "CREATE (a)-[x:SIMILAR]->(b) "
        "SET x.realm = $realm, x.edge_id = 'twice', x.weight = r.weight",
        CEILING: "MATCH (m:Memory {realm: $realm}) WHERE COUNT { (m)-[:SIMILAR]-() } > 0 RETURN m",
    },
    "causality": {
        "the session is there": INTENT + "MATCH (s:Session {realm: $realm, id: i.session_id}) "
        "DETACH DELETE s",
        "the label is the strength": INTENT + "REMOVE i:Strong, i:Weak",
        "what claims nothing is labelled so": INTENT + "SET i:Unclaimed",
        "an intent has one actor, and one consequence if it claims one": CAUSE + "DELETE r",
        "causes and prompts lead to a later line of the session": CAUSE
        + "SET r.line_gap = r.line_gap + 1",
        "a cause has its score": CAUSE + "SET r.score = null",
        "a session holds what it was recorded with": "MATCH (u:Utterance {realm: $realm}) "
        "WITH u LIMIT 1 DETACH DELETE u",
    },
    "exploration": {
        "weight is not negative": STAR + "SET s.weight = -1.0",
        "energy is not negative": STAR + "SET s.energy = 0.0 / 0.0",
        "permanence is in range": STAR + "SET s.permanence = 1.5",
        "a link has its id and its realm": LINK + "SET r.id = null",
        "the weight of a link is not negative": LINK + "SET r.weight = null",
        "the energy of a link is not negative": LINK + "SET r.energy = -0.5",
        "the permanence of a link is in range": LINK + "SET r.permanence = -0.5",
        "the hierarchy of a link is in range": LINK + "SET r.hierarchy = 2.0",
        "the polarity of a link is in range": LINK + "SET r.polarity = [0.5]",
        "a run is of a known kind, and whole": "CREATE (:Run {realm: $realm, id: 'r', "
        "caption: 'r', kind: 'maintenance', status: 'done'})",
    },
    "recall": {
        "a name is counted right": "MATCH (n:Name {realm: $realm}) WITH n LIMIT 1 "
        "SET n.memory_count = n.memory_count + 1",
        "a word is counted right": "MATCH (:Memory {realm: $realm})-[:HAS_TERM]->(t) "
        "WITH t LIMIT 1 SET t.memory_count = 0",
        "the realm counts the words of its texts": "MATCH (r:Realm {realm: $realm}) "
        "SET r.word_count = 1",
        "the realm counts its texts": "MATCH (r:Realm {realm: $realm}) "
        "SET r.text_count = r.text_count - 1",
        "a pinned question names memories that are there": "CREATE (:Expectation {realm: $realm, "
        "id: 'x', caption: 'x', must: ['gone'], must_not: []})",
        "what is noted is found by its realm": TEXT + "SET m.realm_key = 'r0'",
        "a text is noted unless it is a duplicate": "MATCH (m:Memory {realm: $realm, "
        "state: 'duplicate'}) WITH m LIMIT 1 SET m.state = 'live'",
        "a text is in its session once": TEXT + "MATCH (s:Session {realm: $realm, id: 'talk 1'}) "
        "CREATE (m)-[:IN_SESSION]->(s)",
        "the order of a session has no branches": TEXT + "MATCH (m)-[:NEXT]->()-[:NEXT]->(b) "
        "CREATE (m)-[:NEXT]->(b)",
        "the order stays within a session": TEXT + "SET m.session = 'elsewhere'",
        "a session is one row of its texts": TEXT + "MATCH (m)-[next:NEXT]->() DELETE next",
    },
    "realms": {
        "the realm is on the list": "MATCH (r:Realm {realm: $realm}) DELETE r",
        "nothing crosses to another realm": STAR
        + "CREATE (s)-[:LINK]->(:Thing {realm: 'another', id: 'x', caption: 'x'})",
        "what people look at has a caption": STAR + "SET s.caption = ''",
        "an active hour is counted once": "MATCH (r:Realm {realm: $realm}) "
        "SET r.active_intervals = [0, 1], r.active_micros = 2",
        "vectors are of the realm's own model": TEXT + "SET m.embedding_model = 'other'",
    },
}


async def broken_rules(tx: Transaction, part: str) -> set[str]:
    """The rules of a part that are broken, as a transaction sees the graph."""
    parameters = arguments(part, tx.database.settings)
    rows = await tx.rows(STATEMENTS[part], **parameters)
    return {row["rule"] for row in rows}


async def town(open_graph: OpenGraph, clock: FixedClock) -> Graph:
    """A town after some days, maintained."""
    graph: Graph = await open_graph(embedder=Words())
    await begin(graph)
    for day in range(3):
        await live(graph, day)
        clock.advance(days=1)
        for job in ("stars-close-day", "memories-archive", "consolidate"):
            [report] = await graph.maintenance.run(job)
            assert report.ok
    return graph


def rules(part: str) -> set[str]:
    """The rules that a part's statement names."""
    text = statements.load(STATEMENTS[part]).text
    named = re.findall(r"(?:rule:|RETURN)\s+'((?:[^'\\]|\\.)+)'(?:,| AS rule)", text)
    return {name.replace("\\'", "'") for name in named}


def test_the_cases_break_every_rule_of_verify() -> None:
    for part, cases in BROKEN.items():
        assert set(cases) == rules(part)
    assert set(BROKEN) == set(STATEMENTS)


@pytest.mark.slow
async def test_verify_finds_each_broken_rule(open_graph: OpenGraph, clock: FixedClock) -> None:
    graph = await town(open_graph, clock)
    [report] = await graph.maintenance.run("verify")
    assert (report.offenders, report.message) == ([], "every rule holds")
    low = {"max_similar_degree": 1}
    limited = replace(graph.database, settings=valid_settings({"consolidation": low}))
    missed = []
    for part, cases in BROKEN.items():
        for rule, statement in cases.items():
            database = limited if rule == CEILING else graph.database
            async with database.driver.session() as session:
                tx = await session.begin_transaction()
                parameters = {"realm": graph.realm, "today": epoch_day(clock.now())}
                await (await tx.run("CYPHER 25 " + statement, parameters)).consume()
                broken = await broken_rules(Transaction(database, cast(Any, tx)), part)
                await tx.rollback()
            if rule not in broken:
                missed.append((part, rule, broken))
    assert missed == []
    [report] = await graph.maintenance.run("verify")
    assert report.offenders == []
    await offenders_are_told_with_what_was_found(graph)


async def offenders_are_told_with_what_was_found(graph: Graph) -> None:
    run = graph.database.driver.execute_query
    await run(TEXT + "SET m.strength = 1.5", realm=graph.realm)
    await run(LINK + "SET r.weight = -2.0", realm=graph.realm)
    [report] = await graph.maintenance.run("verify")
    assert not report.ok
    offenders = [tuple(offender.model_dump().values()) for offender in report.offenders]
    assert offenders == [
        ("memories", "strength is in range", "text 0 0", "1.5", "0 to 1"),
        ("exploration", "the weight of a link is not negative", "Ada mill", "-2.0", "0 or more"),
    ]
    assert (await graph.maintenance.history(1)) == [report]
