"""Language rules of language_rules.toml as compiled patterns and word lists."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from asterism.causality.transcripts.models import ConsequenceType, IntentType

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class IntentRule:
    """Pattern of a sentence that is an intent of one type."""

    type: IntentType
    words: int
    questions_only: bool
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class ConsequenceRule:
    """Pattern of a sentence that makes its line a consequence of one type."""

    type: ConsequenceType
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class CombatLexicon:
    """Words and phrases by which a fight is recognised."""

    hard: frozenset[str]
    medium: frozenset[str]
    roll: frozenset[str]
    roll_cues: frozenset[str]
    skills: frozenset[str]
    opening: re.Pattern[str]
    closing: re.Pattern[str]


@cache
def intent_rules() -> tuple[IntentRule, ...]:
    """Return the rules in the order in which a sentence tries them."""
    return tuple(
        IntentRule(
            IntentType(rule["type"]),
            rule["words"],
            rule.get("questions_only", False),
            _pattern(rule),
        )
        for rule in _DATA["intents"]
    )


@cache
def consequence_rules() -> tuple[ConsequenceRule, ...]:
    """Return the rules in the order in which a line tries them."""
    return tuple(
        ConsequenceRule(ConsequenceType(rule["type"]), _pattern(rule))
        for rule in _DATA["consequences"]
    )


@cache
def combat_lexicon() -> CombatLexicon:
    """Return the words that suggestions of combat masks count."""
    data = _DATA["combat"]
    lists = ("hard", "medium", "roll", "roll_cues", "skills")
    return CombatLexicon(
        **{name: frozenset(data[name].split()) for name in lists},
        opening=re.compile("|".join(data["opening"])),
        closing=re.compile("|".join(data["closing"])),
    )


@cache
def fillers() -> re.Pattern[str]:
    """Return the pattern of words that may open a sentence without meaning anything."""
    return re.compile(rf"(?:{_group('filler')}(?![\w'])[\s,;:\u2014-]*)+")


def _pattern(rule: dict[str, Any]) -> re.Pattern[str]:
    groups = {name: _group(name) for name in ("adverb", "verb", "ability", "skill")}
    groups["verbing"] = f"(?:{'|'.join(_present_participle(verb) for verb in _items('verb'))})"
    patterns = [_with_groups(pattern, groups) for pattern in rule["patterns"]]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def _with_groups(pattern: str, groups: dict[str, str]) -> str:
    for name, group in groups.items():
        pattern = pattern.replace("{" + name + "}", group)
    return pattern


def _group(name: str) -> str:
    return f"(?:{'|'.join(_items(name))})"


def _items(name: str) -> list[str]:
    """Split a list at spaces, and a line with a bar at its bars, into phrases."""
    items: list[str] = []
    for line in _DATA["lists"][name].splitlines():
        items += [part.strip() for part in line.split("|")] if "|" in line else line.split()
    return [item for item in items if item]


def _present_participle(verb: str) -> str:
    if verb in _items("doubled"):
        return f"{verb}{verb[-1]}ing"
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith("ee"):
        return f"{verb[:-1]}ing"
    return f"{verb}ing"
