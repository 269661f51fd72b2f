"""First and last line of a realm's file, and the results of writing and reading one."""

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    NonNegativeInt,
    StrictInt,
)

from asterism.answer_changes import AnswerChange
from asterism.base_model import Frozen
from asterism.errors import InvalidInput
from asterism.realm_names import valid_name
from asterism.row_types import row_of

FORMAT = "asterism realm"
VERSION = 2  # since schema version 9, which renamed properties

OnProgress = Callable[[int, int], None]  # lines done, and lines in all


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


@row_of("embedding/model", "embedding/claim")
class Model(_Strict):
    """The model of a realm's vectors, and its calibration."""

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
    """The first line of a file."""

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
    """Numbers of nodes and relationships written to a file.

    With a filter, `left_out` counts what the file lacks: nodes by label, relationships by type.
    `warnings` says if a large realm was written to while it was read.
    """

    file: str
    realm: str
    nodes: int
    relationships: int
    sha256: str
    filter: str = ""
    left_out: dict[str, int] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class Loaded(Frozen):
    """Numbers of nodes and relationships read from a file.

    `answers_changed` has the pinned questions of the file that are answered differently here.
    """

    file: str
    realm: str
    origin: str
    nodes: int
    relationships: int
    sha256: str
    answers_changed: tuple[AnswerChange, ...] = ()
