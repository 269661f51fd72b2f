"""The base of what goes in and what comes out."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Typed and unchangeable; JSON out by `model_dump_json`."""

    model_config = ConfigDict(frozen=True)
