"""Options of a recording: the parts of a session that are stored."""

from asterism.base_model import Frozen
from asterism.errors import InvalidInput
from asterism.settings import CausalitySettings
from asterism.validation import require_flag


class Options(Frozen):
    """The parts of a session that are stored."""

    utterances: bool
    unclaimed_weak: bool
    prompts: bool
    prompts_within: int
    embed: bool

    @classmethod
    def of(cls, settings: CausalitySettings, **overrides: bool | None) -> "Options":
        """Return the settings with the overrides that are not None, or refuse an override."""
        options = {name: getattr(settings, name) for name in cls.model_fields}
        names = sorted(set(options) - {"prompts_within"})
        for name, value in overrides.items():
            if name not in names:
                remedy = f"record takes no {name}; to keep or not: {', '.join(names)}"
                raise InvalidInput(name, value, remedy)
            if value is not None:
                options[name] = require_flag(name, value)
        return cls(**options)
