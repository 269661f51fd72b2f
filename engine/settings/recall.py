"""Settings of recall."""

from pydantic import Field

from engine.settings.section import Section


class RecallSettings(Section):
    """What counts how much when memories are found; every number sits on a flat optimum."""

    pool: int = Field(default=100, ge=1, description="candidates from each index, and by name")
    pool_filtered: int = Field(default=1000, ge=1, description="the same for a narrowed question")
    pool_widest: int = Field(
        default=20_000, ge=1, description="the most that is looked at where many may not answer"
    )
    words: float = Field(default=0.15, ge=0, description="what the best match of words adds")
    common: float = Field(
        default=0.9, gt=0, description="a word that more than this share of memories has finds none"
    )
    name: float = Field(default=0.10, ge=0, description="for being about a name in the question")
    neighbour: float = Field(default=0.30, ge=0, description="share of the better neighbour's lead")
    session: float = Field(default=0.50, ge=0, description="share of the session's best lead")
    seeds: int = Field(default=5, ge=1, description="best memories from which names are followed")
    hop_mention: float = Field(default=0.20, ge=0, description="a seed's name, mentioned")
    hop_subject: float = Field(default=0.20, ge=0, description="a seed's name, as the subject")
    hop_term: float = Field(default=0.10, ge=0, description="a rare word shared with a seed")
    hop_floor: float = Field(default=0.03, ge=0, description="a word below this is not followed")
    strength: float = Field(default=0.05, ge=0, description="a faded memory loses up to this")
    exact_counts: int = Field(
        default=200,
        ge=100,
        description="up to this a name's count is checked, and set right on the way",
    )
    tied_words: int = Field(
        default=100, ge=0, description="a word that more memories have is counted, but not tied"
    )
