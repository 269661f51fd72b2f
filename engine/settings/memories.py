"""Settings of the memories."""

from typing import Annotated, Literal

from pydantic import Field

from engine.settings.section import Section

Lasts = Literal["ephemeral", "standard", "durable", "permanent"]


class MemoriesSettings(Section):
    """How memories strengthen and fade."""

    boost: float = Field(default=0.1, ge=0, le=1, description="what one interaction adds")
    liq_extra: float = Field(default=0.05, ge=0, le=1, description="a level's further liquidations")
    boost_gap_s: float = Field(default=0.0, ge=0, description="seconds between boosts of one kind")
    revive: float = Field(
        default=0.2, ge=0, le=1, description="what a return from the archive adds"
    )
    carry_pending: bool = Field(default=True, description="waiting kinds help another's creation")
    market_rate: float = Field(default=1e-4, gt=0, description="a level's linear decay per second")
    market_archive_below: float = Field(default=0.01, gt=0, lt=1, description="a level's end")
    dormant_below: float = Field(default=0.15, ge=0, le=1, description="a level read as dormant")
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
