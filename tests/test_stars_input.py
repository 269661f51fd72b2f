"""Bad input of stars is refused by name, with its remedy, and what is unknown is NotFound."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from asterism.errors import AsterismError, InvalidInput, NotFound
from asterism.graph import Graph
from asterism.stars import EvidenceItem
from tests.support.stars_world import add

pytestmark = pytest.mark.verify_stars

Call = Callable[[Graph], Awaitable[Any]]
ITEM = {"a": "a", "b": "b", "type": "user_confirms", "source": "x"}
HEAVY = ITEM | {"weight": 3}
HUGE = 10**400

REFUSED: list[tuple[str, str, Call]] = [
    ("name=", "surrogate", lambda g: g.stars.add("\ud800", domain="soul")),
    ("name=", "control", lambda g: g.stars.add("a\x1b[31mred", domain="soul")),
    ("name=", "control", lambda g: g.stars.add("a\x00b", domain="soul")),
    ("name=", "one line", lambda g: g.stars.add("a\nb", domain="soul")),
    ("name=", "at most 1000", lambda g: g.stars.add("a" * 1001, domain="soul")),
    ("id=", "printable", lambda g: g.stars.add("a", domain="soul", id="\ud800")),
    ("brightness=", "finite", lambda g: g.stars.add("a", domain="soul", brightness=HUGE)),
    ("source=", "control", lambda g: g.stars.evidence("a", "b", "user_confirms", source="\x1b")),
    ("secondary=", "bool", lambda g: g.stars.evidence(**ITEM, secondary="perhaps")),  # type: ignore[arg-type]
    ("items=None", "list", lambda g: g.stars.evidence_many(None)),  # type: ignore[arg-type]
    ("items[0]=5", "EvidenceItem", lambda g: g.stars.evidence_many([5])),  # type: ignore[list-item]
    ("items={", "list", lambda g: g.stars.evidence_many(ITEM)),  # type: ignore[arg-type]
    (
        "items[1].weight=3",
        "no such field",
        lambda g: g.stars.evidence_many([ITEM, ITEM | {"weight": 3}]),
    ),
    ("items[0].b", "required", lambda g: g.stars.evidence_many([{"a": "a"}])),
    ("limit=1000", "2147483647", lambda g: g.stars.list(limit=10**30)),
    ("limit=1000", "2147483647", lambda g: g.stars.fading(limit=10**30)),
    ("constellation=", "printable", lambda g: g.stars.list(constellation="")),
    ("gains=1e+308", "0 to 1", lambda g: g.stars.engage("a", gains=[1e308, 1e308])),
    ("losses=1e+308", "0 to 1", lambda g: g.stars.engage("a", losses=1e308)),
    ("losses=1000000000.0", "0 to 1", lambda g: g.stars.engage("a", losses=1e9)),
    ("gains=", "0 to 1", lambda g: g.stars.engage("a", gains=[HUGE])),
]


@pytest.mark.slow
@pytest.mark.parametrize(("argument", "remedy", "call"), REFUSED)
async def test_bad_input_is_refused_by_name_with_a_remedy(
    graph: Graph, argument: str, remedy: str, call: Call
) -> None:
    await add(graph, "a", "b")
    before = await graph.realms.stats()
    with pytest.raises(InvalidInput, match=re.escape(argument)) as refusal:
        await call(graph)
    assert remedy in str(refusal.value)
    assert await graph.realms.stats() == before


UNKNOWN: list[tuple[str, Call]] = [
    ("star 'typo'", lambda g: g.stars.why("typo", "a")),
    ("star 'typo'", lambda g: g.stars.why("a", "typo")),
    ("star 'typo'", lambda g: g.stars.history("a", "typo")),
    ("star 'typo'", lambda g: g.stars.connection("a", "typo")),
    ("star 'typo'", lambda g: g.stars.predictions(star="typo")),
    ("star 'typo'", lambda g: g.stars.blockers("typo")),
    ("star 'typo'", lambda g: g.stars.influences("typo")),
    ("star 'typo'", lambda g: g.stars.what_if("typo", 0.1)),
    ("star 'typo'", lambda g: g.stars.evidence("a", "typo", "user_confirms", source="x")),
    ("star 'typo'", lambda g: g.stars.evidence_many([ITEM | {"b": "typo"}])),
    ("star 'typo'", lambda g: g.stars.disconnect("a", "typo")),
    ("pair 'a|b'", lambda g: g.stars.why("a", "b")),
    ("pair 'a|b'", lambda g: g.stars.history("a", "b")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "call"), UNKNOWN)
async def test_unknown_stars_and_pairs_are_not_found(graph: Graph, words: str, call: Call) -> None:
    await add(graph, "a", "b")
    with pytest.raises(NotFound, match=re.escape(words)):
        await call(graph)


async def test_records_are_found_after_their_star_was_removed(graph: Graph) -> None:
    await add(graph, "a", "b")
    await graph.stars.connect("a", "b")
    await graph.stars.remove("b")
    why = await graph.stars.why("a", "b")
    assert (why.connection, len(why.evidence)) == (None, 1)
    assert len((await graph.stars.history("a", "b")).past) == 1


@pytest.mark.slow
async def test_words_are_taken_in_any_case(graph: Graph) -> None:
    await graph.stars.add("a", id="a", domain="SOUL", state="bright")
    await graph.stars.add("b", id="b", domain="Health")
    made = await graph.stars.connect("a", "b", "tension")
    assert made.type == "TENSION"
    counted = await graph.stars.evidence("a", "b", "User_Confirms", source="x")
    assert counted.evidence_count == 2
    [outcome] = await graph.stars.evidence_many([ITEM | {"type": "TARS_confirmed"}])
    assert outcome in ("counted", "capped")
    assert [star.id for star in await graph.stars.list(state="Bright")] == ["a"]
    assert await graph.stars.predictions(status="open") == []


async def test_times_of_evidence_may_be_text_or_dates(graph: Graph) -> None:
    await add(graph, "a", "b")
    now = graph.clock.now()
    for at, source in ((now.isoformat(), "x"), (now.date(), "y"), ("2026-03-01", "z")):
        await graph.stars.evidence("a", "b", "user_confirms", source=source, at=at)
        await graph.stars.evidence_many([ITEM | {"at": at, "source": f"{source}2"}])
    with pytest.raises(InvalidInput, match="at='yesterday'"):
        await graph.stars.evidence_many([ITEM | {"at": "yesterday"}])
    assert (await graph.stars.connection("a", "b")).evidence_count == 6  # type: ignore[union-attr]


async def test_an_item_of_evidence_has_no_other_fields() -> None:
    with pytest.raises(ValueError, match="Extra inputs are not permitted"):
        EvidenceItem.model_validate(HEAVY)


async def test_names_may_use_every_script_and_emoji(graph: Graph) -> None:
    name = "Ärzte, 海, καρδιά, עברית, 👩\u200d👩\u200d👧 1\u00a0000"
    assert (await graph.stars.add(name, domain="soul")).name == name


@pytest.mark.slow
@pytest.mark.parametrize("act", ["acknowledge", "engagement"])
async def test_an_act_that_changes_nothing_says_so(graph: Graph, act: str) -> None:
    await add(graph, "a")
    if act == "acknowledge":
        star = await graph.stars.acknowledge("a")
    else:
        star = await graph.stars.confront("a", act)
    assert star.state == "BRIGHT"
    assert "nothing changed" in (star.note or "")
    await add(graph, "new", state="NASCENT", brightness=0.1)
    assert (await graph.stars.acknowledge("new")).note is None
    await graph.stars.flag_dark("a")
    assert (await graph.stars.confront("a", "engagement")).note is None


async def test_a_star_that_exists_names_the_call_and_the_command(graph: Graph) -> None:
    await add(graph, "a")
    with pytest.raises(AsterismError, match=r"read it with get \(asterism star show\)"):
        await add(graph, "a")
