"""Shows a download on the terminal, and nothing where nobody looks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from engine.local import fetch


@contextmanager
def downloading(*, model_only: bool = False) -> Iterator[Callable[[int], None]]:
    """A progress bar over what is still missing; no bar when there is nothing to fetch."""
    total = fetch.missing_bytes(model_only=model_only)
    if total == 0:
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (
        TextColumn(f"Fetching {'the model' if model_only else 'Neo4j and the model'}, once"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=total)
        yield lambda count: progress.advance(task, count)
