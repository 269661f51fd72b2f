"""Base of the models that the public API takes and returns."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A typed model that can't be changed."""

    model_config = ConfigDict(frozen=True)
