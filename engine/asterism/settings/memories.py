"""Settings of the memories."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from asterism.settings.section import Section, Share
from asterism.text.languages import CODES

Lasts = Literal["ephemeral", "standard", "durable", "permanent"]


def _language(value: Any) -> str:
    """Return the code of a language, or refuse it as a setting."""
    if value not in CODES:
        raise ValueError(f"{value!r} is no language: give one of {', '.join(CODES)}")
    return str(value)


class MemoriesSettings(Section):
    """Settings of how memories strengthen and fade."""

    boost: Share = Field(default=0.1, description="what one interaction adds")
    liq_extra: Share = Field(default=0.05, description="a level's further liquidations")
    boost_gap_s: float = Field(default=0.0, ge=0, description="seconds between boosts of one kind")
    revive: Share = Field(default=0.2, description="what a return from the archive adds")
    carry_pending: bool = Field(default=True, description="waiting kinds help another's creation")
    band_bps: int = Field(
        default=5, ge=1, le=100, description="how near a price is to a level to be that level's"
    )
    persistence_strength_base: Share = Field(
        default=0.3, description="strength of a level that rests, before its seconds"
    )
    persistence_strength_per_sec: Share = Field(
        default=0.01, description="what each second of resting adds at creation"
    )
    persistence_minimum_s: float = Field(
        default=10.0, gt=0, le=1e9, description="seconds of resting that make a level"
    )
    persistence_confidence: Share = Field(
        default=0.6, description="confidence of a level made by resting"
    )
    execution_strength_base: Share = Field(
        default=0.4, description="strength of a level that traded, before its volume"
    )
    execution_strength_per_1k: Share = Field(
        default=0.05, description="what each 1,000 USD adds at creation"
    )
    execution_minimum_usd: float = Field(
        default=1000.0, gt=0, le=1e15, description="USD traded that make a level"
    )
    execution_confidence: Share = Field(
        default=0.7, description="confidence of a level made by trades"
    )
    liquidation_strength_base: Share = Field(
        default=0.3, description="strength of a liquidated level, before their count"
    )
    liquidation_strength_per_event: Share = Field(
        default=0.05, description="what each liquidation adds at creation"
    )
    liquidation_minimum: int = Field(
        default=1, ge=1, le=10**6, description="liquidations that make a level"
    )
    liquidation_confidence: Share = Field(
        default=0.5, description="confidence of a level made by liquidations"
    )
    rejection_strength: Share = Field(
        default=0.4, description="strength of a level made by rejections"
    )
    rejection_minimum_visits: int = Field(
        default=3, ge=1, le=10**6, description="rejections that make a level"
    )
    rejection_confidence_base: Share = Field(
        default=0.5, description="confidence of rejections, before their count"
    )
    rejection_confidence_per_visit: Share = Field(
        default=0.05, description="confidence that each rejection adds"
    )
    carry: Share = Field(
        default=0.1, description="what each other kind that waits adds to a creation"
    )
    book_minimum_usd: float = Field(
        default=0.0, ge=0, le=1e15, description="an order book's levels of less are left out"
    )
    book_large_usd: float = Field(
        default=250_000.0,
        gt=0,
        le=1e15,
        description="a book's levels of less count by zones of 5 bps",
    )
    market_rate: float = Field(default=1e-4, gt=0, description="a level's linear decay per second")
    market_archive_below: float = Field(default=0.01, gt=0, lt=1, description="a level's end")
    dormant_below: Share = Field(default=0.15, description="a level read as dormant")
    dormant_s: float = Field(default=3600.0, gt=0, description="idle seconds read as dormant")
    continuous: bool = Field(default=False, description="decay at every interaction, not in passes")
    auto_pass_s: float = Field(default=100.0, ge=0, description="event seconds a pass; 0: none")
    buffer_s: float = Field(default=5.0, ge=0, description="seconds within which items are sorted")
    future_s: float = Field(
        default=60.0, ge=0, description="how far ahead of the newest is refused"
    )
    batch: int = Field(default=1000, ge=1, description="items per transaction")
    archive_batch: int = Field(default=5000, ge=1, description="memories archived per transaction")
    text_bytes: int = Field(
        default=1 << 20, ge=1, description="the longest text, in bytes of UTF-8"
    )
    noted_words: int = Field(
        default=20_000, ge=1, description="words of a text that questions find it by"
    )
    language: Annotated[str, BeforeValidator(_language)] = Field(
        default="en", description="language of texts whose own words do not tell it"
    )
    text_clock: Literal["active", "wall"] = Field(
        default="active", description="texts fade while the realm is used, or all the time"
    )
    lasts: Lasts = Field(default="durable", description="how long a text lasts if nothing says so")
    tiers: Literal["by_setting", "by_tags"] = Field(
        default="by_setting",
        description="by_tags: a text's tags and category say how long it lasts",
    )
    text_half_life_hours: dict[Lasts, Annotated[float, Field(gt=0, le=1e9)]] = Field(
        default={"ephemeral": 14, "standard": 69, "durable": 693, "permanent": 69_315},
        description="hours of its clock in which a text loses half of its strength",
    )
    use_gap_s: float = Field(
        default=3600.0, ge=0, le=1e9, description="seconds within which use counts once"
    )
    text_archive_below: float = Field(default=0.05, gt=0, lt=1, description="a text's end")
    text_revive_full: bool = Field(default=True, description="a text comes back whole, not by 0.2")
