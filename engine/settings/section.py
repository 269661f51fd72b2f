"""What every section of the settings is."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """Base of the sections: frozen, and deaf to no misspelling."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)
