"""The causal kernel: rules, scores, masks, ids, against the numbers of its reference."""

import gc
import subprocess
import sys
from typing import Any

import pytest

from asterism.causality import Extraction, Transcript
from asterism.causality.answer_score import distance_score, lexical_score, score
from asterism.causality.identity import consequence_id, intent_id, transcript_hash, utterance_id
from asterism.causality.transcripts.consequence_types import consequence_type
from asterism.causality.transcripts.intents import intent_type
from asterism.causality.transcripts.language_rules import rule_set
from asterism.causality.transcripts.line_text import answers_yes_or_no, has_no_words, tokens
from asterism.causality.transcripts.mask_suggestions import combat_score, suggest_masks, switches
from asterism.causality.transcripts.masks import EligibilityMask
from asterism.causality.transcripts.models import IntentType, Line, Mask
from asterism.causality.transcripts.speakers import Speakers
from asterism.errors import InvalidInput
from asterism.settings import CausalParams
from tests.support.sessions import CHEST, dialogue, extract

HILL = (
    1.0,
    0.821262391,
    0.500000000,
    0.290692479,
    0.178737609,
    0.117549870,
    0.081889496,
    0.059744274,
    0.045224054,
)
FINALS = {  # distance: no shared word, a quarter, a half, all; none with an answer, all with one
    1: (0.821262, 0.923920, 1.026578, 1.231894, 0.971262, 1.381894),
    2: (0.500000, 0.562500, 0.625000, 0.750000, 0.650000, 0.900000),
    3: (0.290692, 0.327029, 0.363366, 0.436039, 0.440692, 0.586039),
    4: (0.178738, 0.201080, 0.223422, 0.268106, 0.328738, 0.418106),
    5: (0.117550, 0.132244, 0.146937, 0.176325, 0.267550, 0.326325),
    6: (0.081889, 0.092126, 0.102362, 0.122834, 0.231889, 0.272834),
    7: (0.059744, 0.067212, 0.074680, 0.089616, 0.209744, 0.239616),
    8: (0.045224, 0.050877, 0.056530, 0.067836, 0.195224, 0.217836),
}
SHARED = {0.0: ("a", "e"), 0.25: ("abcd", "aefg"), 0.5: ("ab", "ae"), 1.0: ("a", "a")}


def outcomes(extraction: Extraction) -> list[tuple[str, int | None, int | None, float | None]]:
    """Return actor, line, distance and score of each link."""
    return [
        (link.actor, link.consequence_anchor_index, link.distance, link.score)
        for link in extraction.links
    ]


@pytest.mark.parametrize("distance", range(9))
def test_the_distance_score_is_the_hill_curve(distance: int) -> None:
    assert distance_score(distance) == pytest.approx(HILL[distance], abs=1e-9)


@pytest.mark.parametrize("distance", FINALS)
def test_the_final_score_scales_by_words_and_adds_the_answer(distance: int) -> None:
    params = CausalParams.literal()
    for at, shared in enumerate(SHARED):
        mine, theirs = (frozenset(words) for words in SHARED[shared])
        assert lexical_score(mine, theirs) == shared
        plain = score(distance, mine, theirs, False, params).final
        assert plain == pytest.approx(FINALS[distance][at], abs=1e-6)
        boosted = score(distance, mine, theirs, True, params).final
        assert boosted == pytest.approx(plain + 0.15, abs=1e-12)
    assert score(distance, *SHARED_WITH_ANSWER[0], True, params).final == pytest.approx(
        FINALS[distance][4], abs=1e-6
    )
    assert score(distance, *SHARED_WITH_ANSWER[1], True, params).final == pytest.approx(
        FINALS[distance][5], abs=1e-6
    )


SHARED_WITH_ANSWER = (
    (frozenset("a"), frozenset("e")),
    (frozenset("a"), frozenset("a")),
)


def test_three_players_share_out_two_lines() -> None:
    extraction = extract(CHEST)
    assert outcomes(extraction) == [
        ("ann", 3, 1, 1.129236),
        ("bob", 4, 2, 0.650000),
        ("cy", 3, 1, 0.821262),
    ]
    assert [link.intent_type for link in extraction.links] == ["declare", "declare", "question"]
    best = {c.consequence_anchor_index: c.final_score for c in extraction.traces[1].candidates}
    assert best[3] == pytest.approx(0.923920, abs=1e-6)
    metrics = extraction.metrics
    assert (metrics.coverage, metrics.fanout) == (1.0, {1: 1, 2: 1})
    assert (metrics.contested, metrics.most_bidders) == (1, 3)


def test_a_question_and_its_answer_make_one_link() -> None:
    [link] = extract(dialogue(("PC", "Where is X?"), ("DM", "X is here"))).links
    assert (link.claimed, link.distance, link.intent_strength) == (True, 1, "weak")
    assert link.score == pytest.approx(0.821262, abs=1e-6)
    assert link.id == "1783385c-1582-5358-8db9-dbd33d7187fa"
    assert [*link.model_dump()][14:16] == ["intent_event_id", "consequence_event_id"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Can I check for traps?", "request"),
        ("I'm going to open the door.", "declare"),
        ("Let's go north.", "propose"),
        ("Where is X?", "question"),
        ("What a day. I grab the rope. Is it wet?", "declare"),
        ("Why?", None),
        ("That is a nice hat.", None),
        ("Okay, so, I’ll just quickly climb up", "declare"),
        ("I'm running to the gate", "declare"),
        ("I'm going to be sick of this", None),
        ("I'm trying to be polite here", None),
        ("I would like to look around", "request"),
        ("Is it possible to climb it?", "request"),
        ("Help me, please", "request"),
        ("Could you pull me up?", "request"),
        ("Why don't we wait", "propose"),
        ("Do you want to stay", "propose"),
        ("What is over there", "question"),
        ("(whispers) I hide", None),
        ("[quietly] I hide behind it", "declare"),
        ("Go in?", None),
        ("", None),
    ],
)
def test_a_line_has_the_type_of_its_strongest_sentence(text: str, expected: str | None) -> None:
    assert intent_type(text, rule_set("literal")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Make a perception check.", "roll"),
        ("Roll for initiative!", "roll"),
        ("The history of this place is long.", "dm_statement"),
        ("You see a long hall.", "information"),
        ("(nods) Yes, it is.", "information"),
        ("The door is locked.", "deterministic"),
        ("It works.", "deterministic"),
        ("You agree to wait.", "commitment"),
        ("He smiles.", "dm_statement"),
        ("", "dm_statement"),
    ],
)
def test_a_dm_line_has_a_type(text: str, expected: str) -> None:
    assert consequence_type(text, rule_set("literal")) == expected


def test_words_are_compared_without_the_punctuation_at_their_ends() -> None:
    assert tokens("the door?") == tokens("The DOOR!") == {"the", "door"}
    assert tokens("don’t") == {"don't"}
    assert tokens("(laughs) ok") == {"laughs"}
    assert tokens("Go!") == frozenset()
    assert tokens("door? go!", compat=True) == {"door?", "go!"}
    assert lexical_score(tokens("search the old chest"), tokens("The old chest, locked.")) == 0.75
    assert lexical_score(frozenset(), tokens("door")) == 0.0


@pytest.mark.parametrize(
    "text", ["Not really", "(laughs) Okay.", '"No."', "“Sure, go on.”", "NOPE"]
)
def test_an_answer_opens_with_yes_or_no(text: str) -> None:
    assert answers_yes_or_no(text)


@pytest.mark.parametrize("text", ["Now you see it.", "Surely.", "Oh, yes.", "North", "", "Notice"])
def test_words_that_only_begin_like_an_answer_are_none(text: str) -> None:
    assert not answers_yes_or_no(text)


def test_ids_are_the_same_everywhere_and_always() -> None:
    assert intent_id("C2E20", 231) == "7648258d-5500-5f63-841c-cfc5508b425c"
    assert consequence_id("test", 1) == "ec731da8-c7d1-5961-a121-b77e0226800e"
    assert utterance_id("test", 0) == "4e5185da-69b6-59a9-bb56-7d052d110e91"
    lines = dialogue(("PC", "Where is X?"), ("DM", "X is here")).lines
    assert transcript_hash(lines).startswith("3d20322d7988")


def test_a_mask_keeps_every_reason() -> None:
    lines = dialogue(*[("Ann", "x")] * 6).lines
    ranges = [(1, 1, "ooc_hard"), (3, 4, "combat"), (4, 4, "noise")]
    mask = EligibilityMask(lines, [Mask.of(each) for each in ranges])
    assert mask.eligible_mask == [True, False, True, False, False, True]
    assert mask.reasons(4) == ["combat", "noise"]
    assert len(mask.eligible_mask) == 6
    assert [line.line_index for line in mask.excluded_lines()] == [1, 3, 4]


def test_a_mask_is_by_line_index_not_by_position() -> None:
    lines = [(10, "Ann", "I open the door."), (20, "DM", "No."), (30, "DM", "It is stuck.")]
    extraction = extract(Transcript.of(("gaps", lines, "DM", ["Ann"], [(15, 25, "noise")])))
    assert [link.claimed for link in extraction.links] == [False]
    assert (extraction.eligible_lines, extraction.excluded[0].line_index) == (2, 20)


@pytest.mark.parametrize("reason", ["ooc_hard", "ooc_soft", "combat", "transition", "noise"])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_no_link_crosses_an_excluded_line(reason: str, at: int) -> None:
    lines = [("Ann", "I open the door."), ("Bob", "Careful."), ("DM", "It opens.")]
    extraction = extract(dialogue(*lines, masks=[(at, at, reason)]))
    assert not any(link.claimed for link in extraction.links)
    assert extract(dialogue(*lines)).links[0].claimed


def test_a_line_of_nothing_but_cues_is_no_candidate_and_no_barrier() -> None:
    extraction = extract(
        dialogue(("Ann", "I open the door."), ("DM", "[laughs] (sighs)"), ("DM", "Fine."))
    )
    assert outcomes(extraction)[0][1:3] == (2, 1)
    assert has_no_words("[a (b) c]")
    assert not has_no_words("[laughs] No")


def test_the_dm_before_an_intent_never_answers_it() -> None:
    [link] = extract(dialogue(("DM", "The door is open."), ("Ann", "I open the door."))).links
    assert (link.claimed, link.consequence_type) == (False, "none")


def test_strong_intents_compete_and_questions_share() -> None:
    strong = extract(dialogue(*[("Ann", "I open the door.")] * 3, ("DM", "It opens.")))
    assert [link.claimed for link in strong.links] == [True, False, False]
    assert [trace.claim_reason for trace in strong.traces] == [
        "strong_precedence",
        "all_claimed",
        "all_claimed",
    ]
    for link in strong.links[1:]:
        assert (link.distance, link.score, link.consequence_text) == (None, None, None)
        assert link.consequence_type == "none"
    weak = extract(dialogue(*[("Ann", "Is it open?")] * 3, ("DM", "It opens.")))
    assert [link.consequence_anchor_index for link in weak.links] == [3, 3, 3]


def test_an_early_question_never_blocks_a_later_act() -> None:
    extraction = extract(
        dialogue(("Ann", "Is it open?"), ("Bob", "I open it myself."), ("DM", "Yes."))
    )
    assert [link.claimed for link in extraction.links] == [True, True]


def test_an_intent_loses_to_an_earlier_one_and_says_so() -> None:
    lines = [("Ann", "I open the door.")] * 3
    extraction = extract(
        dialogue(*lines, ("DM", "It opens."), ("DM", "He smiles."), ("DM", "Rain."))
    )
    assert [trace.claim_reason for trace in extraction.traces] == [
        "strong_precedence",
        "strong_precedence",
        "lost_to_earlier_strong",
    ]
    nobody = extract(dialogue(("Ann", "I open the door."), ("Bob", "Hm.")))
    assert nobody.traces[0].claim_reason == "no_candidate"


@pytest.mark.parametrize(
    ("name", "text"),
    [("strong_min_score", "I open the door."), ("weak_min_score", "Is it open?")],
)
def test_thresholds_are_inclusive(name: str, text: str) -> None:
    transcript = dialogue(("Ann", text), ("DM", "He smiles."))
    exact = extract(transcript).candidates[0].final_score
    assert extract(transcript, {name: exact}).links[0].claimed
    above = extract(transcript, {name: exact + 1e-9})
    assert not above.links[0].claimed
    assert above.traces[0].claim_reason == "below_threshold"


def test_two_extractions_are_equal_and_parameters_keep_ids() -> None:
    assert extract(CHEST) == extract(CHEST)
    other = extract(CHEST, {"k_local": 1, "tau": 3.0})
    assert [link.id for link in other.links] == [link.id for link in extract(CHEST).links]
    assert other.run_id != extract(CHEST).run_id


def test_only_the_next_lines_within_reach_may_answer() -> None:
    filler = [("Bob", "Hm.")] * 8
    far = dialogue(("Ann", "I open the door."), *filler, ("DM", "It opens."))
    assert extract(far).links[0].line_gap == 9
    assert not extract(far, {"max_line_gap": 8}).links[0].claimed
    many = dialogue(("Ann", "I open the door."), *[("DM", "He smiles.")] * 20)
    assert len(extract(many).candidates) == 8
    assert len(extract(many, {"k_local": 3}).candidates) == 3


def test_intents_may_be_given_instead_of_detected() -> None:
    intents = [{"index": 2, "type": "propose"}, {"index": 0, "type": "question", "actor": "x"}]
    extraction = extract(CHEST, intents=intents)
    assert [(link.actor, link.intent_type) for link in extraction.links] == [
        ("x", "question"),
        ("cy", "propose"),
    ]
    assert extract(CHEST, {"intents": intents}) == extraction
    assert extraction.run_id != extract(CHEST).run_id
    with pytest.raises(InvalidInput, match="there is no line of this index"):
        extract(CHEST, intents=[{"index": 9, "type": "declare"}])
    with pytest.raises(InvalidInput, match="at most one intent"):
        extract(CHEST, intents=[(1, "declare"), (1, "question")])


def test_a_given_intent_on_an_excluded_line_stays_unclaimed() -> None:
    extraction = extract(
        dialogue(("Ann", "x"), ("DM", "y"), masks=[(0, 0, "noise")]), intents=[(0, "declare")]
    )
    assert (extraction.traces[0].eligible, extraction.traces[0].claim_reason) == (
        False,
        "no_candidate",
    )


def test_players_match_by_whole_words_and_longest_alias() -> None:
    lines = [("WILLIAM", "I open the door."), ("Liam (as Caleb)", "I open the door.")]
    players = [("c", "Caleb", ["liam"]), ("n", "Nott", ["sam"])]
    extraction = extract(dialogue(*lines, ("DM", "No."), players=players))
    assert [(link.intent_anchor_index, link.actor) for link in extraction.links] == [(1, "c")]
    both = [("a", "Ann"), ("b", "Ann Marie")]
    named = extract(dialogue(("Ann Marie", "I open the door."), ("DM", "No."), players=both))
    assert named.links[0].actor == "b"


@pytest.mark.parametrize("author", ["Ann & Bob", "Ann, Bob", "ANN and BOB", "all", "Audience"])
def test_groups_are_nobody(author: str) -> None:
    players = [("a", "Ann"), ("b", "Bob"), ("w", "all"), ("d", "audience")]
    assert not extract(dialogue((author, "I open the door."), ("DM", "No."), players=players)).links


def test_a_line_of_several_is_the_dms_only_if_all_are() -> None:
    speakers = Speakers(dialogue(("Matt", "x"), ("Liam", "x"), dm=["Matt", "Sam"]))
    assert speakers.is_dm("MATT")
    assert speakers.is_dm("Matt & Sam")
    assert not speakers.is_dm("Matt & Liam")
    assert not speakers.is_dm("Matthew")


@pytest.mark.parametrize("name", ["DM", "The DM (Petra)", "gm", "Game Master"])
def test_a_speaker_who_says_so_is_the_dm(name: str) -> None:
    lines = [("Ann", "I open the door."), (name, "It opens.")]
    assert extract(dialogue(*lines, dm=None, players=["Ann"])).links[0].claimed


def test_a_dm_who_speaks_with_others_is_recognised_alone() -> None:
    lines = [("DM & Ann", "I open the door."), ("DM", "It opens."), ("Ann", "I open the door.")]
    speakers = Speakers(dialogue(*lines, dm=None, players=["Ann"]))
    assert [speakers.is_dm(author) for author, _ in lines] == [False, True, False]
    assert speakers.player("DM & Ann") is None


def test_an_unknown_dm_is_an_error() -> None:
    lines = [("Ann", "I open the door."), ("Admiral", "It opens.")]
    with pytest.raises(InvalidInput, match="dm=None: no speaker is named DM; say which of Ann"):
        extract(dialogue(*lines, dm=None))
    with pytest.raises(InvalidInput, match="speaks no line; DM looks like the DM"):
        extract(dialogue(("Ann", "I open it."), ("DM", "No."), dm="Petra"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([(0, "A", "x"), (0, "A", "y")], "line_index=0: it must be whole, from 0, and greater"),
        ([(5, "A", "x"), (3, "A", "y")], "line_index=3"),
        ([(-1, "A", "x")], "must not be negative"),
        ([("one", "A", "x")], "line_index='one'"),
        ([(0, "A", "half \ud800")], "content of line 0"),
        ([(0, "A")], "Field required"),
        (["just text"], "lines.0"),
        (5, "lines=5"),
    ],
)
def test_bad_lines_are_refused_by_name(lines: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        extract(Transcript.of(("test", lines, "DM", ["A"])))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"masks": [(0, 9, "noise")]}, "outside the transcript, whose lines are 0 to 4"),
        ({"masks": [(3, 1, "noise")]}, "must not end before it starts"),
        ({"masks": [(0, 1, "boring")]}, "reason='boring'"),
        ({"players": ["Ann", "ann"]}, "an id of its own"),
        ({"session_id": " x"}, "session_id=' x'"),
        ({"session_id": ""}, "1 to 200 printable"),
    ],
)
def test_bad_rosters_and_ranges_are_refused_by_name(more: dict[str, Any], message: str) -> None:
    intents = CHEST.model_dump() | more
    with pytest.raises(InvalidInput, match=message):
        extract(Transcript.of(intents))


@pytest.mark.parametrize(
    "params", [{"k_local": 0}, {"max_line_gap": 0}, {"tau": 0}, {"weak_min_score": "x"}, {"k": 1}]
)
def test_bad_parameters_are_refused_by_name(params: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(params))):
        extract(CHEST, params)


def test_odd_characters_and_long_lines_are_read() -> None:
    lines = [
        ("Ann", ""),
        ("Ann", "I open the 🚪 and wave “hello” to Zoë."),
        ("DM", ""),
        ("DM", "🚪" * 50),
        ("DM", "Zoë opens the door. " + "really " * 1500),
        ("Ann", "((((" * 2500),
        ("Ann", "I " + "really " * 1400 + "look."),
        ("", "Who is this?"),
    ]
    extraction = extract(dialogue(*lines, players=["Ann"]))
    assert (extraction.lines, extraction.dm_lines) == (8, 3)
    assert outcomes(extraction)[0][:3] == ("ann", 4, 1)
    assert [link.intent_anchor_index for link in extraction.links] == [1, 6]


@pytest.mark.parametrize(
    "lines", [[], [("Ann", "I open the door.")], [("DM", "It opens.")], [("Eve", "Who is there?")]]
)
def test_a_session_may_lack_a_side(lines: list[tuple[str, str]]) -> None:
    extraction = extract(dialogue(*lines, dm="DM", players=["Ann"]))
    metrics = extraction.metrics
    assert metrics.claimed == 0
    assert metrics.coverage == (0.0 if metrics.intents else None)
    assert metrics.scores.p50 is metrics.most_bidders is None
    assert metrics.by_type[IntentType.PROPOSE].share is None


def test_fighting_words_have_a_density() -> None:
    lines = dialogue(("DM", "Roll for initiative!"), ("DM", "That hits for damage.")).lines
    extraction = combat_score(lines)
    assert (extraction.points, extraction.distinct) == (8.25, 2)
    assert extraction.density == pytest.approx(5.3625)
    speakers = dialogue(*[(name, "x") for name in ("A", "B", "A", "DM", "C", "D")])
    assert switches(speakers.lines, Speakers(speakers)) == 0.5


def test_a_fight_is_guessed_and_ends_when_it_is_quiet() -> None:
    calm, fight = ("DM", "The road is long."), ("DM", "Roll initiative!")
    lines = [calm] * 2 + [fight] * 2 + [calm] * 2 + [fight] * 2 + [calm] * 6
    chunks = [(start, start + 1) for start in range(0, len(lines), 2)]
    extraction = suggest_masks(dialogue(*lines), chunks)
    assert [(mask.start_index, mask.reason) for mask in extraction.masks] == [
        (2, "combat"),
        (4, "combat"),
        (6, "combat"),
    ]
    assert extraction.eligible_share == pytest.approx(8 / 14)
    ended = dialogue(fight, calm, ("DM", "We are out of initiative."), calm, calm)
    masks = suggest_masks(ended, [(at, at) for at in range(5)]).masks
    assert [mask.start_index for mask in masks] == [0, 1, 2]


def test_table_talk_is_guessed() -> None:
    lines = [(name, "And the pizza?") for name in ("Ann", "Bob", "Cy") * 4]
    extraction = suggest_masks(dialogue(*lines, ("DM", "Back to it.")))
    assert [mask.reason for mask in extraction.masks] == ["ooc_soft"]
    flagged = suggest_masks(dialogue(("DM", "Hello.")), [(0, 0, True)])
    assert [mask.reason for mask in flagged.masks] == ["ooc_hard"]
    with pytest.raises(InvalidInput, match="no line in this range"):
        suggest_masks(dialogue(("DM", "Hello.")), [(4, 6)])


def test_garbage_is_collected_again_afterwards() -> None:
    extract(CHEST)
    with pytest.raises(InvalidInput):
        extract(dialogue(("Ann", "I open the door."), ("Bob", "Hm."), dm=None))
    assert gc.isenabled()


@pytest.mark.slow
def test_the_kernel_is_light_to_import() -> None:
    code = (
        "import sys; from asterism.causality import extract, Transcript; "
        "sys.exit(any(name in sys.modules for name in ('neo4j', 'numpy', 'onnxruntime')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_line_is_a_line_however_it_is_given() -> None:
    class LineObject:
        line_index, author_name, content = 0, "Ann", "I open the door."

    plain = {"line_index": 0, "author_name": "Ann", "content": "I open the door.", "at_ms": 5}
    for each in (LineObject(), plain, (0, "Ann", "I open the door."), Line.of(plain)):
        assert Transcript.of(("s", [each], "DM", ["Ann"])).lines[0] == Line.of(plain)
