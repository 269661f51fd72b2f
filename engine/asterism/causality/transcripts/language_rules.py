"""Language rules of the files in rules/, or of a file of one's own, as compiled patterns."""

import hashlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from asterism.causality.transcripts.models import ConsequenceType, IntentType
from asterism.errors import InvalidInput

BUILT_IN = Path(__file__).with_name("rules")
LITERAL = "literal"
NEVER = re.compile(r"(?!)")
SKILLS = ("skill", "common_skill", "ability_word")  # lists of what a throw may be for


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


@dataclass(frozen=True)
class RuleSet:
    """The rules of several files, those of the first file first."""

    intents: tuple[IntentRule, ...]
    consequences: tuple[ConsequenceRule, ...]
    reports: re.Pattern[str]  # sentences that tell of a throw or of the past
    talk: re.Pattern[str]  # sentences about the rules, or about the table
    throws: re.Pattern[str]  # sentences that ask for a throw
    skills: re.Pattern[str]
    report_of_number: re.Pattern[str]
    numbers: dict[str, int]
    fillers: re.Pattern[str]
    stop_words: frozenset[str]  # words that two lines may share without being about the same
    fewest_alphanumerics: int
    speech: IntentType | None  # the type of a line that is nothing but a quotation


@cache
def rule_set(names: str) -> RuleSet:
    """Return the rules of a list of names and paths, separated by commas."""
    sources = [source for name in names.split(",") if name.strip() for source in _sources(name)]
    if not sources:
        raise InvalidInput("rules", names, "name at least one file of rules, such as english")
    patterns = {
        section: _any_of(_section_patterns(sources, section))
        for section in ("reports", "talk", "throws")
    }
    skills = [
        item for source in sources for item in source.items("skill", "common_skill", "ability_word")
    ]
    fillers = "|".join(item for source in sources for item in source.items("filler"))
    return RuleSet(
        intents=tuple(sorted(_intent_rules(sources), key=_is_question)),
        consequences=tuple(
            ConsequenceRule(ConsequenceType(rule["type"]), source.pattern(rule))
            for source in sources
            for rule in source.data.get("consequences", ())
        ),
        skills=_any_word(skills),
        report_of_number=_any_of([p for source in sources for p in source.number_patterns()]),
        numbers={word: n for source in sources for word, n in source.numbers().items()},
        fillers=re.compile(rf"(?:(?:{fillers})(?![\w'])[\s,;:\u2014-]*)+"),
        stop_words=frozenset(item for source in sources for item in source.items("stop")),
        fewest_alphanumerics=min(
            source.data["fewest_alphanumerics"]
            for source in sources
            if "fewest_alphanumerics" in source.data
        ),
        speech=next((IntentType(s.data["speech"]) for s in sources if "speech" in s.data), None),
        **patterns,
    )


@cache
def combat_lexicon() -> CombatLexicon:
    """Return the words that suggestions of combat masks count."""
    data = _file(LITERAL).data["combat"]
    lists = ("hard", "medium", "roll", "roll_cues", "skills")
    return CombatLexicon(
        **{name: frozenset(data[name].split()) for name in lists},
        opening=re.compile("|".join(data["opening"])),
        closing=re.compile("|".join(data["closing"])),
    )


def own_files(names: str) -> list[str]:
    """Return a hash of each file of one's own among names, whose rules may change."""
    own = [name.strip() for name in names.split(",") if not _built_in(name).is_file()]
    return [_file(name).digest for name in own if name]


class RuleFile:
    """One file of rules, with the lists of the file that it extends."""

    def __init__(self, text: str) -> None:
        self.digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        self.data: dict[str, Any] = tomllib.loads(text)
        self.base = _file(self.data["extends"]) if "extends" in self.data else None

    def items(self, *names: str) -> list[str]:
        """Return the phrases of lists, with those of the extended file."""
        own = [item for name in names for item in _items(self.data.get("lists", {}).get(name, ""))]
        return own + (self.base.items(*names) if self.base else [])

    def pattern(self, rule: dict[str, Any]) -> re.Pattern[str]:
        """Return the alternatives of a rule, in which {names} stand for lists."""
        return _any_of([self._with_lists(pattern) for pattern in rule["patterns"]])

    def patterns(self, section: str) -> list[str]:
        """Return the patterns of a section, without those of the extended file."""
        rules = self.data.get(section, ())
        return [self._with_lists(pattern) for rule in rules for pattern in rule["patterns"]]

    def numbers(self) -> dict[str, int]:
        """Return the words for numbers with their values."""
        return {word: value for value, word in enumerate(self.items("numbers"))}

    def number_patterns(self) -> Iterator[str]:
        """Yield the pattern of a sentence that reports a number and says nothing else."""
        if self.items("numbers"):
            before = "|".join(map(re.escape, self.items("before_number")))
            after = "|".join(map(re.escape, self.items("after_number")))
            skill = "|".join(self.items(*SKILLS))
            yield rf"(?:(?:{before}|{skill})\W+)*{self._number()}(?:\W*$|,.*$|:? (?:{after})\b.*$)"

    def _with_lists(self, pattern: str) -> str:
        def alternatives(match: re.Match[str]) -> str:
            name = match[1]
            if name == "number":
                return self._number()
            items = self.items("verb" if name == "verbing" else name)
            words = map(self._present_participle, items) if name == "verbing" else items
            return f"(?:{'|'.join(words)})"

        return re.sub(r"\{([a-z_]+)\}", alternatives, pattern)

    def _number(self) -> str:
        words = sorted(self.items("numbers"), key=len, reverse=True)
        spoken = "|".join(re.escape(word).replace(r"\-", "[ -]?") for word in words)
        return rf"(?:\d+|{spoken})(?!\w|-\w)"

    def _present_participle(self, verb: str) -> str:
        if verb in self.items("doubled"):
            return f"{verb}{verb[-1]}ing"
        if verb.endswith("ie"):
            return f"{verb[:-2]}ying"
        if verb.endswith("e") and not verb.endswith("ee"):
            return f"{verb[:-1]}ing"
        return f"{verb}ing"


def _sources(name: str) -> Iterator[RuleFile]:
    """Yield a file of rules and the files that it extends."""
    source: RuleFile | None = _file(name.strip())
    while source is not None:
        yield source
        source = source.base


@cache
def _file(name: str) -> RuleFile:
    path = _built_in(name) if _built_in(name).is_file() else Path(name)
    try:
        return RuleFile(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        names = ", ".join(sorted(file.stem for file in BUILT_IN.glob("*.toml")))
        remedy = f"give {names} or a file of your own in TOML: {error}"
        raise InvalidInput("rules", name, remedy) from error


def _built_in(name: str) -> Path:
    return BUILT_IN / f"{name.strip()}.toml"


def _intent_rules(sources: list[RuleFile]) -> Iterator[IntentRule]:
    for source in sources:
        for rule in source.data.get("intents", ()):
            questions = rule.get("questions_only", False)
            type, words = IntentType(rule["type"]), rule["words"]
            yield IntentRule(type, words, questions, source.pattern(rule))


def _is_question(rule: IntentRule) -> bool:
    return rule.type is IntentType.QUESTION  # a question mark fits any language, so it comes last


def _section_patterns(sources: list[RuleFile], section: str) -> list[str]:
    return [pattern for source in sources for pattern in source.patterns(section)]


def _any_of(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else NEVER


def _any_word(words: list[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest_first)})\b") if words else NEVER


def _items(text: str) -> list[str]:
    """Split a list at spaces, and a line with a bar at its bars, into phrases."""
    items: list[str] = []
    for line in text.splitlines():
        items += [part.strip() for part in line.split("|")] if "|" in line else line.split()
    return [item for item in items if item]
