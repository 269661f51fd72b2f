"""What a file says of itself, and what came of writing or reading one."""

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, FiniteFloat, NonNegativeInt, StrictInt

from engine.errors import InvalidInput
from engine.frozen import Frozen
from engine.realms import valid_name

FORMAT = "asterism realm"
VERSION = 1

OnProgress = Callable[[int, int], None]  # how much is done, and how much there is


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Model(_Strict):
    """The model a realm's vectors are made with, and its calibration."""

    name: str
    dimensions: int
    mean: FiniteFloat
    spread: FiniteFloat


def _realm_name(name: str) -> str:
    try:
        return valid_name(name)
    except InvalidInput as error:
        raise ValueError(str(error)) from error


class Header(_Strict):
    """The first line: what is needed before anything else is read."""

    format: Literal["asterism realm"] = "asterism realm"
    version: StrictInt = VERSION
    schema_version: StrictInt
    engine: str
    realm: Annotated[str, AfterValidator(_realm_name)]
    model: Model | None
    nodes: NonNegativeInt
    relationships: NonNegativeInt


class Footer(_Strict):
    """The last line: without it the file is cut off."""

    nodes: NonNegativeInt
    relationships: NonNegativeInt
    sha256: str


class Exported(Frozen):
    """What went into a file."""

    file: str
    realm: str
    nodes: int
    relationships: int
    sha256: str


class Loaded(Frozen):
    """What came out of a file."""

    file: str
    realm: str
    origin: str
    nodes: int
    relationships: int
    sha256: str
