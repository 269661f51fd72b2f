"""Progress of long work on stderr, and nothing where nobody looks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def stage_bar(title: str) -> Iterator[Callable[[str, int, int], None]]:
    """Show one bar, and yield a function that takes the stage, what is done and the whole."""
    from rich.progress import BarColumn, MofNCompleteColumn

    with columns_bar(title, BarColumn(), MofNCompleteColumn()) as update:

        def step(stage: str, count: int, total: int) -> None:
            update(description=stage.capitalize(), completed=count, total=total)

        yield step


@contextmanager
def columns_bar(
    title: str, *columns: Any, total: int | None = None, **fields: Any
) -> Iterator[Callable[..., None]]:
    """Show a bar of these columns after its title, and yield a function that updates it."""
    from rich.console import Console
    from rich.progress import Progress

    texts = ("{task.description}", *columns)
    with Progress(*texts, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total, **fields)
        yield lambda **values: progress.update(task, **values)


def status(title: str) -> Any:
    """Show a line on stderr while something works, for a `with` statement."""
    from rich.console import Console

    return Console(stderr=True).status(title)


@contextmanager
def counter(title: str, text: str) -> Iterator[Callable[[int], None]]:
    """Show a line on stderr, and yield a function that adds to the number in its text."""
    total = 0
    with status(title) as line:

        def step(count: int) -> None:
            nonlocal total
            total += count
            line.update(text.format(total))

        yield step
