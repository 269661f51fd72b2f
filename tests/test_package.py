"""The package as it is shipped: its locks, its light imports, the compose file."""

import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml

import asterism
from asterism import errors, statements
from asterism.local import config, downloads

HEAVY = ("neo4j", "numpy", "onnxruntime", "pydantic", "rich", "tokenizers", "jgo")
TRACKED = subprocess.run(
    ["git", "ls-files", "-z"], capture_output=True, text=True, check=True
).stdout.split("\0")[:-1]


def test_public_names_are_sorted_and_complete() -> None:
    assert asterism.__all__ == sorted(asterism.__all__)
    for name in asterism.__all__:
        value = getattr(asterism, name)
        assert value is getattr(import_module(value.__module__), name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(asterism, "Grpah")


def test_the_version_is_the_one_installed() -> None:
    assert asterism.__version__ == version("asterism")


@pytest.mark.slow
def test_a_folder_of_the_user_named_engine_breaks_nothing(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("OWNER = 'the game'")
    code = "import engine; from asterism import Graph; print(engine.OWNER, Graph.__module__)"
    environment = {**os.environ, "PYTHONPATH": "."}
    process = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout.split() == ["the", "game", "asterism.graph"]
    command = [sys.executable, "-m", "asterism", "--help"]
    subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True)


def loaded_by(code: str) -> set[str]:
    """The top-level modules that some code loads."""
    probe = f"{code}; import sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    process = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True
    )
    return set(process.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded_by("import asterism") & set(HEAVY)


def test_importing_the_command_line_loads_no_database_and_no_model() -> None:
    assert not loaded_by("import asterism.cli") & (set(HEAVY) - {"rich"})


def test_the_error_tree_is_drawn_as_it_is() -> None:
    drawn = set(re.findall(r"[├└]── (\w+)", errors.__doc__ or ""))
    actual = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.AsterismError)
    }
    assert drawn | {"AsterismError"} == actual


@pytest.mark.slow
def test_the_wheel_carries_every_statement(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, check=True, capture_output=True)
    [wheel] = tmp_path.glob("asterism-*.whl")
    with ZipFile(wheel) as archive:
        packed = set(archive.namelist())
        archive.extractall(tmp_path / "installed")
    root = statements.folder().parent
    files = {
        f"asterism/{path.relative_to(root).as_posix()}" for path in root.glob("cypher/**/*.cypher")
    }
    others = {"asterism/py.typed", "asterism/local/artifacts.lock", "asterism/asterism.grass"}
    assert files | others <= packed
    code = "from asterism import statements; print(statements.folder(), len(statements.names()))"
    process = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={"PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True,
        text=True,
        check=True,
    )
    folder = tmp_path / "installed" / "asterism" / "cypher"
    assert process.stdout.split() == [str(folder), str(len(statements.names()))]


def test_locks_pin_with_hashes_and_without_addresses() -> None:
    for name in ("dev.txt", "torch.txt"):
        text = Path("locks", name).read_text()
        pinned = re.findall(r"^[\w.-]+(?:\[.*\])?==", text, re.MULTILINE)
        assert len(pinned) > 50
        assert "://" not in text
        assert text.count("--hash=sha256:") >= len(pinned)
    assert "://" not in Path("engine/asterism/local/artifacts.lock").read_text()


def test_nothing_tracked_names_a_machine_or_a_registry() -> None:
    """Home directories and registry hosts, by patterns that do not find themselves."""
    forbidden = re.compile(r"(/home|/Users|/ro" + r"ot)/\w|repo\.mav" + r"en|pypi\." + "org")
    for path in TRACKED:
        text = Path(path).read_bytes().decode("utf-8", errors="ignore")
        assert not forbidden.findall(text), path


def test_compose_sets_what_the_local_server_sets() -> None:
    compose = yaml.safe_load(Path("docker-compose.yml").read_text())
    database = compose["services"]["neo4j"]
    assert database["image"] == f"neo4j:{downloads.SERVER_VERSION}-community"
    environment = {
        name.removeprefix("NEO4J_").replace("__", "-").replace("_", ".").replace("-", "_"): value
        for name, value in database["environment"].items()
        if name != "NEO4J_AUTH"
    }
    shared = {name: value for name, value in environment.items() if "memory" not in name}
    assert shared == config.SHARED
    assert "asterism maintain --every 1h" in compose["services"]["maintenance"]["command"][-1]


def test_the_server_in_the_lock_is_the_one_that_is_started() -> None:
    artifacts = downloads.locked_artifacts()
    versions = {item.version for item in artifacts if item.group.startswith("org.neo4j")}
    assert downloads.SERVER_VERSION in versions
    assert "2026.08.0" not in versions
