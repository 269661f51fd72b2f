"""Tools as clients see them: short schemas, unknown arguments refused, errors in plain words."""

from collections.abc import Callable, Mapping
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, ConfigDict, ValidationError

from asterism.errors import AsterismError


class ToolAnswer(BaseModel):
    """ToolAnswer of a tool: fields for programs, and as text for people and models."""

    model_config = ConfigDict(extra="forbid")

    def document(self) -> dict[str, Any]:
        """Return the fields that say something."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)


class MemoryTool(Tool):
    """A tool that answers with text and fields, and says in plain words why it refuses."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        """Run the tool, and return its answer as a client gets it."""
        try:
            answer = await super().run(arguments, context)
        except ToolError as error:
            reason = _reason(error.__cause__)
            if reason is None:
                raise
            raise ToolError(reason) from error.__cause__
        if not convert_result:
            return answer
        content = TextContent(type="text", text=str(answer))
        return CallToolResult(content=[content], structured_content=answer.document())


def memory_tool(
    function: Callable[..., Any],
    title: str,
    *,
    name: str | None = None,
    read_only: bool = False,
    destructive: bool = False,
    idempotent: bool = True,
) -> MemoryTool:
    """Return a function as a tool. Its docstring is what a model reads of it."""
    hints = ToolAnnotations(
        read_only_hint=read_only,
        destructive_hint=destructive,
        idempotent_hint=idempotent,
        open_world_hint=False,
    )
    description = " ".join((function.__doc__ or "").split())
    tool = MemoryTool.from_function(
        function, name=name, title=title, description=description, annotations=hints
    )
    assert isinstance(tool, MemoryTool)
    metadata = tool.fn_metadata
    metadata.arg_model = type(
        "Arguments", (metadata.arg_model,), {"model_config": ConfigDict(extra="forbid")}
    )
    tool.parameters = short_schema(metadata.arg_model.model_json_schema(by_alias=True))
    metadata.output_schema = _undescribed(short_schema(metadata.output_schema or {}))
    return tool


def short_schema(schema: Any, definitions: Mapping[str, Any] | None = None) -> Any:
    """Return a schema without references, titles and empty defaults, which only cost tokens."""
    if isinstance(schema, list):
        return [short_schema(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    definitions = schema.get("$defs", definitions or {})
    if "$ref" in schema:
        model = definitions[schema["$ref"].rpartition("/")[2]]
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {key: value for key, value in model.items() if key != "description"} | rest
    options = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(options) == 1:
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return short_schema({**options[0], **rest}, definitions)
    return {
        key: _short_part(key, value, definitions)
        for key, value in schema.items()
        if not _dull(key, value)
    }


def _undescribed(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "description"}


def _dull(key: str, value: Any) -> bool:
    """Tell whether a key of a schema says nothing: unknown arguments are refused in any case."""
    if key == "default":
        return value in (None, [], {})
    return key in ("title", "$defs") or (key == "additionalProperties" and value in (True, False))


def _short_part(key: str, value: Any, definitions: Mapping[str, Any]) -> Any:
    if key == "properties":
        return {name: short_schema(each, definitions) for name, each in value.items()}
    return short_schema(value, definitions) if key in ("items", "anyOf") else value


def _reason(cause: BaseException | None) -> str | None:
    """Return why a call was refused, None for a fault of the server, which stays in its log."""
    if isinstance(cause, AsterismError):
        return str(cause)
    if isinstance(cause, ValidationError):
        return "; ".join(map(_field_problem, cause.errors()[:3]))
    return None


def _field_problem(error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"]) or "arguments"
    if error["type"] == "extra_forbidden":
        return f"{place}: there is no such argument"
    if error["type"] == "missing":
        return f"{place}: it is needed"
    return f"{place}: {error['msg']}"
