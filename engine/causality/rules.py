"""The rules of rules.toml, compiled."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine.causality.model import ConsequenceType
from engine.causality.transcript import IntentType

_DATA = tomllib.loads((Path(__file__).parent / "rules.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class IntentRule:
    """What a sentence must look like to be an intent of one type."""

    type: IntentType
    words: int
    asked: bool  # only where the sentence ends with a question mark
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class ConsequenceRule:
    """What a sentence must look like to make its line a consequence of one type."""

    type: ConsequenceType
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class Regimes:
    """Words and phrases by which a fight is recognised."""

    hard: frozenset[str]
    medium: frozenset[str]
    roll: frozenset[str]
    roll_cues: frozenset[str]
    skills: frozenset[str]
    opening: re.Pattern[str]
    closing: re.Pattern[str]


@cache
def intents() -> tuple[IntentRule, ...]:
    """In the order in which they are tried on a sentence."""
    return tuple(
        IntentRule(
            IntentType(rule["type"]), rule["words"], rule.get("asked", False), _compiled(rule)
        )
        for rule in _DATA["intents"]
    )


@cache
def consequences() -> tuple[ConsequenceRule, ...]:
    """In the order in which they are tried on a line."""
    return tuple(
        ConsequenceRule(ConsequenceType(rule["type"]), _compiled(rule))
        for rule in _DATA["consequences"]
    )


@cache
def regimes() -> Regimes:
    """What the guess at fights goes by."""
    data = _DATA["regimes"]
    lists = ("hard", "medium", "roll", "roll_cues", "skills")
    return Regimes(
        **{name: frozenset(data[name].split()) for name in lists},
        opening=re.compile("|".join(data["opening"])),
        closing=re.compile("|".join(data["closing"])),
    )


@cache
def fillers() -> re.Pattern[str]:
    """What may stand before a sentence without meaning anything."""
    return re.compile(rf"(?:{_any('filler')}(?![\w'])[\s,;:\u2014-]*)+")


def _compiled(rule: dict[str, Any]) -> re.Pattern[str]:
    groups = {name: f"(?:{_any(name)})" for name in ("adverb", "verb", "ability", "skill")}
    groups["verbing"] = f"(?:{'|'.join(_present(verb) for verb in _items('verb'))})"
    patterns = [_filled(pattern, groups) for pattern in rule["patterns"]]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def _filled(pattern: str, groups: dict[str, str]) -> str:
    for name, group in groups.items():
        pattern = pattern.replace("{" + name + "}", group)
    return pattern


def _any(name: str) -> str:
    return f"(?:{'|'.join(_items(name))})"


def _items(name: str) -> list[str]:
    """Words are divided by spaces; on a line with a bar, bars divide phrases."""
    found: list[str] = []
    for line in _DATA["lists"][name].splitlines():
        found += [part.strip() for part in line.split("|")] if "|" in line else line.split()
    return [item for item in found if item]


def _present(verb: str) -> str:
    if verb in _items("doubled"):
        return f"{verb}{verb[-1]}ing"
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith("ee"):
        return f"{verb[:-1]}ing"
    return f"{verb}ing"
