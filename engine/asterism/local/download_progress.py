"""Progress bar of a download on the terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from asterism.local import downloads


@contextmanager
def downloading(*, model_only: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a bar over what is missing, or none where nothing has to be downloaded."""
    total = downloads.missing_bytes(model_only=model_only)
    if total == 0:
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TransferSpeedColumn

    title = f"Fetching {'the model' if model_only else 'Neo4j and the model'}, once"
    columns = ("{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=total)
        yield lambda count: progress.advance(task, count)
