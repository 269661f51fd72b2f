"""Progress bar of a download on the terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from asterism.local import downloads


@contextmanager
def downloading(
    *, model_only: bool = False, model: str = downloads.MODEL_ARTIFACT
) -> Iterator[Callable[[int], None]]:
    """Show a bar over what is missing, or none where nothing has to be downloaded."""
    total = downloads.missing_bytes(model_only=model_only, model=model)
    title = f"Fetching {'the model' if model_only else 'Neo4j and the model'}, once"
    with progress_bar(title, total) as on_bytes:
        yield on_bytes


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar over so many bytes, or none where there are none."""
    if total == 0:
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TransferSpeedColumn

    columns = ("{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=total)
        yield lambda count: progress.advance(task, count)
