"""The states of a SubEntity, what each is worth, and the ways between them."""

from enum import StrEnum


class State(StrEnum):
    """What a SubEntity is doing."""

    SEEKING = "seeking"
    BRANCHING = "branching"
    ABSORBING = "absorbing"
    RESONATING = "resonating"
    REFLECTING = "reflecting"
    CRYSTALLIZING = "crystallizing"
    MERGING = "merging"


class Reason(StrEnum):
    """Why a SubEntity stopped walking."""

    SATISFIED = "satisfied"
    NO_LINKS = "no_links"
    DEAD_END = "dead_end"
    FATIGUED = "fatigued"
    MAX_DEPTH = "max_depth"
    BUDGET = "budget"
    ABSORBED = "absorbed"
    JOINED = "joined"


class Outcome(StrEnum):
    """How an exploration ended."""

    SATISFIED = "satisfied"
    EXHAUSTED = "exhausted"
    FATIGUED = "fatigued"
    MAX_DEPTH = "max_depth"
    BUDGET = "budget"
    CANCELLED = "cancelled"


MULTIPLIERS = {
    State.SEEKING: 0.5,
    State.BRANCHING: 0.5,
    State.ABSORBING: 1.0,
    State.RESONATING: 2.0,
    State.REFLECTING: 0.5,
    State.CRYSTALLIZING: 1.5,
    State.MERGING: 0.0,
}

TRANSITIONS: dict[State, frozenset[State]] = {
    State.SEEKING: frozenset(
        {State.SEEKING, State.REFLECTING, State.BRANCHING, State.RESONATING, State.ABSORBING}
    ),
    State.BRANCHING: frozenset({State.SEEKING, State.REFLECTING}),
    State.ABSORBING: frozenset({State.CRYSTALLIZING, State.SEEKING, State.REFLECTING}),
    State.RESONATING: frozenset({State.SEEKING, State.REFLECTING}),
    State.REFLECTING: frozenset({State.MERGING, State.CRYSTALLIZING}),
    State.CRYSTALLIZING: frozenset({State.MERGING}),
    State.MERGING: frozenset(),
}
STRICT_TRANSITIONS = TRANSITIONS | {
    State.RESONATING: TRANSITIONS[State.RESONATING] | {State.MERGING}
}
