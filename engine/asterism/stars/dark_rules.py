"""Types that connections of a star take when it turns DARK, or is integrated (D-36)."""

from dataclasses import dataclass

from asterism.row_types import row_of
from asterism.stars.models import ConnectionType, Pair, TypeSource
from asterism.stars.type_rules import TypeDecision


@row_of("stars/dark_rule_connections")
@dataclass(frozen=True)
class DarkRuleConnection:
    """A connection of a star that turned DARK or left it."""

    lower: str
    upper: str
    start: str
    type: str
    type_source: str
    dark: bool
    other_dark: bool


def dark_decision(id: str, now: DarkRuleConnection, factor: float) -> TypeDecision | None:
    """Return the type that a connection of this star takes, or None if it stays as it is."""
    pair = (now.lower, now.upper)
    other = now.lower if id == now.upper else now.upper
    source = TypeSource(now.type_source)
    if now.dark:
        if source is TypeSource.USER:
            return None
        start = pair[0] if now.other_dark else id
        return _mirror(pair, start, id)
    if now.type == ConnectionType.BLOCKS and now.start == id:
        rule = f"{id} is integrated"
        return TypeDecision(pair, id, ConnectionType.BLOCKS, source, rule, strength_factor=factor)
    if now.type != ConnectionType.SHADOW_MIRROR or source is TypeSource.USER:
        return None
    if now.other_dark:
        return _mirror(pair, other, other)
    rule = f"{id} is integrated"
    return TypeDecision(pair, pair[0], ConnectionType.RESONANCE, TypeSource.DETECTED, rule)


def _mirror(pair: Pair, start: str, dark: str) -> TypeDecision:
    rule = f"{dark} is DARK"
    return TypeDecision(pair, start, ConnectionType.SHADOW_MIRROR, TypeSource.DETECTED, rule)
