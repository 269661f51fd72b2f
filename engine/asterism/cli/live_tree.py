"""Tree in the terminal that grows while SubEntities walk."""

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rich.live import Live
from rich.tree import Tree

from asterism.cli.output import escape

if TYPE_CHECKING:
    from asterism.exploration import Event


class LiveTree:
    """Draws the events of one exploration, and stays on the screen when it is over."""

    def __init__(self, query: str) -> None:
        self._tree = Tree(f"[bold]{escape(query)}[/bold]")
        self._tips: dict[str, Tree] = {}
        self._live = Live(self._tree, refresh_per_second=12)

    def __enter__(self) -> "Callable[[Event], Any]":
        self._live.__enter__()
        return self.show

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.__exit__(kind, error, trace)
        if not self._live.console.is_terminal:
            self._live.console.line()

    def show(self, event: "Event") -> None:
        """Draw one event."""
        data, id = event.data, event.subentity or ""
        if event.type == "spawned":
            self._tips[id] = self._tip(data["parent"])
            if "why" in data:
                label = f"{escape(data['name'])} [dim]{escape(data['why'])}[/dim]"
                self._tips[id] = self._tip(id).add(label)
        elif event.type == "moved":
            colour = "yellow" if data["kind"] == "narrative" else "default"
            reason = escape(data["why"]) if "why" in data else f"{data['score']:.3f}"
            label = f"[{colour}]{escape(data['name'])}[/] [dim]{reason}[/dim]"
            self._tips[id] = self._tip(id).add(label)
        elif event.type == "resonated":
            self._tip(id).add(f"[green]found, {data['alignment']:.2f}[/green]")
        elif event.type == "crystal_planned":
            self._tip(id).add(f"[magenta]new: {escape(data['name'])}[/magenta]")
        elif event.type == "ended" and (reason := data.get("why", data["reason"])):
            self._tip(id).add(f"[dim]{reason}[/dim]")

    def _tip(self, id: str) -> Tree:
        """Return the branch that a SubEntity's next line belongs to."""
        return self._tips.get(id, self._tree)
