"""Notes and manual pages of the benchmarks: their ids, dates, counts and marks are consistent."""

import json
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from benchmarks.recall import load as load_set
from benchmarks.recall import shipped
from benchmarks.recall_ways import Bm25

DATA = Path(__file__).parent.parent / "benchmarks" / "data"
# File: fewest notes, fewest words and most words of one note, questions, paraphrases, pairs, traps.
NOTES = {
    "notes_person_a.json": (60, 5, 60, 20, 10, 40, 15),
    "notes_person_b.json": (60, 5, 60, 20, 10, 40, 15),
    "notes_german.json": (28, 5, 60, 10, 0, 20, 6),
}
PROGRAMS = {"tar", "rsync", "ssh", "find", "git-rebase"}


def load(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((DATA / name).read_text("utf-8"))
    return data


def note_ids(data: dict[str, Any]) -> list[str]:
    return [note["id"] for note in data["notes"]]


def pairs(data: dict[str, Any], key: str) -> list[frozenset[str]]:
    return [frozenset(pair) for pair in data[key]]


def word_runs(text: str, length: int) -> set[tuple[str, ...]]:
    """Return every run of this many words that follow each other, without case."""
    words = text.casefold().split()
    return {tuple(words[start : start + length]) for start in range(len(words) - length + 1)}


@pytest.mark.parametrize("name", NOTES)
def test_every_note_has_an_id_a_date_in_order_and_a_length_of_a_note(name: str) -> None:
    data = load(name)
    fewest, shortest, longest = NOTES[name][:3]
    assert len(data["notes"]) >= fewest
    assert len(set(note_ids(data))) == len(data["notes"])
    days = [date.fromisoformat(note["date"]) for note in data["notes"]]
    assert days == sorted(days)
    assert days[-1] - days[0] > timedelta(days=300)
    for note in data["notes"]:
        assert shortest <= len(note["text"].split()) <= longest, note["id"]
        assert note["tags"], note["id"]


@pytest.mark.parametrize("name", NOTES)
def test_every_question_names_notes_that_exist_and_does_not_copy_them(name: str) -> None:
    data = load(name)
    questions, paraphrases = NOTES[name][3:5]
    texts = {note["id"]: note["text"] for note in data["notes"]}
    answers = {question["id"]: question["answers"] for question in data["questions"]}
    queries = [(question["text"], question["answers"]) for question in data["questions"]]
    queries += [(again["text"], answers[again["of"]]) for again in data.get("paraphrases", [])]
    assert len(answers) == len(data["questions"]) == questions
    assert len(queries) == questions + paraphrases
    assert len({text for text, _ in queries}) == len(queries)
    for text, ids in queries:
        assert 1 <= len(set(ids)) == len(ids) <= 3, text
        for answer in ids:
            assert not word_runs(text, 4) & word_runs(texts[answer], 4), text


@pytest.mark.parametrize("name", NOTES)
def test_related_pairs_are_complete_for_each_affair_and_no_trap_is_related(name: str) -> None:
    data = load(name)
    fewest_pairs, traps = NOTES[name][5:]
    related, unrelated = pairs(data, "related"), pairs(data, "unrelated_traps")
    assert len(set(related)) == len(related) >= fewest_pairs
    assert len(set(unrelated)) == len(unrelated) == traps
    assert not set(related) & set(unrelated)
    for pair in related + unrelated:
        assert len(pair) == 2
        assert pair <= set(note_ids(data)), pair
    for affair in data["affairs"]:
        members = {frozenset(pair) for pair in combinations(affair["notes"], 2)}
        assert members <= set(related), affair["name"]


def test_every_manual_has_paragraphs_of_its_own_and_of_a_readable_length() -> None:
    programs = load("manual_pages.json")["programs"]
    assert {entry["program"] for entry in programs} == PROGRAMS
    texts: list[str] = []
    for entry in programs:
        assert 25 <= len(entry["paragraphs"]) <= 40
        for number, paragraph in enumerate(entry["paragraphs"], 1):
            assert paragraph["id"] == f"{entry['program']}-{number:02d}"
            assert 25 <= len(paragraph["text"].split()) <= 90, paragraph["id"]
            texts.append(paragraph["text"])
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("name", [*NOTES, "manual_pages.json"])
def test_every_file_says_who_wrote_it_and_in_which_language(name: str) -> None:
    data = load(name)
    assert "by hand" in data["about"]
    assert data["language"] == ("de" if "german" in name else "en")


@pytest.mark.parametrize("name", shipped())
def test_a_set_of_a_language_asks_for_passages_that_exist(name: str) -> None:
    questions = load_set(name)
    ids = [passage["id"] for passage in questions.passages]
    assert questions.language == name
    assert len(set(ids)) == len(ids) >= 60
    assert len({row["question"] for row in questions.questions}) >= 25
    for row in questions.questions:
        assert 1 <= len(set(row["gold"])) == len(row["gold"]) <= 3
        assert set(row["gold"]) <= set(ids), row["question"]


@pytest.mark.parametrize("name", shipped())
async def test_words_alone_do_not_answer_a_set_of_a_language(name: str) -> None:
    questions = load_set(name)
    find = Bm25(questions.passages).find
    first = [(await find(row["question"]))[:1] for row in questions.questions]
    hits = [
        ids[0] in row["gold"] for ids, row in zip(first, questions.questions, strict=True) if ids
    ]
    assert 0.2 < sum(hits) / len(questions.questions) < 0.9
