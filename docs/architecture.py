"""Drawing of the import graph and table of sizes for docs/architecture.md.

`python -m docs.architecture` renews both on the page. Imports inside functions count like any
other, imports for type checkers alone do not.
"""

import ast
import io
import statistics
import tokenize
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path("engine/asterism")
PAGE = Path("docs/architecture.md")
GRAPH = ("<!-- import graph: python -m docs.architecture -->", "<!-- end of import graph -->")
SIZES = ("<!-- sizes: python -m docs.architecture -->", "<!-- end of sizes -->")
ENTRY_POINTS = {"__init__", "__main__"}


@dataclass(frozen=True)
class Module:
    """One file of the package."""

    name: str
    text: str
    tree: ast.Module

    @property
    def unit(self) -> str:
        """Return the first name below `asterism`: a package, or a module at the top."""
        return self.name.split(".")[1] if "." in self.name else "__init__"


def modules(root: Path = ROOT) -> list[Module]:
    """Return every module under a folder, by name."""
    return [_module(path, root) for path in sorted(root.rglob("*.py"))]


def _module(path: Path, root: Path) -> Module:
    parts = path.relative_to(root.parent).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    text = path.read_text(encoding="utf-8")
    return Module(name, text, ast.parse(text))


def imported_names(module: Module) -> set[str]:
    """Return the full names that a module imports from the package, inside functions as well."""
    names: set[str] = set()
    for node in _executed(module.tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in names if name.split(".")[0] == ROOT.name}


def _executed(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree without those that only type checkers read."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield node
            yield from _executed(node)


def unit_imports(sources: Iterable[Module]) -> dict[str, set[str]]:
    """Return, for each package and each module at the top, those that it imports."""
    sources = list(sources)
    units = {module.unit for module in sources} - ENTRY_POINTS
    imports: dict[str, set[str]] = {unit: set() for unit in units}
    for module in sources:
        if module.unit in units:
            targets = {name.split(".")[1] for name in imported_names(module) if "." in name}
            imports[module.unit] |= (targets & units) - {module.unit}
    return imports


def module_imports(sources: Iterable[Module]) -> dict[str, set[str]]:
    """Return, for each module, the modules that it imports."""
    sources = list(sources)
    names = {module.name for module in sources}
    imports = {}
    for module in sources:
        targets = {_nearest(name, names) for name in imported_names(module)}
        imports[module.name] = targets - {module.name}
    return imports


def _nearest(name: str, names: set[str]) -> str:
    return name if name in names else name.rpartition(".")[0]


def cycle(imports: dict[str, set[str]]) -> list[str]:
    """Return one cycle of imports, or nothing."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        names: list[str] = error.args[1]
        return names
    return []


def layers(imports: dict[str, set[str]]) -> list[list[str]]:
    """Return the names from the bottom up: each layer imports from the layers below it alone."""
    depths: dict[str, int] = {}
    for name in TopologicalSorter(imports).static_order():
        depths[name] = max((depths[target] + 1 for target in imports[name]), default=0)
    return [
        sorted(name for name, depth in depths.items() if depth == level)
        for level in range(max(depths.values()) + 1)
    ]


def direct_imports(imports: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the imports without those that a longer path through others implies."""
    reach: dict[str, set[str]] = {}
    for name in TopologicalSorter(imports).static_order():
        reach[name] = imports[name].union(*(reach[target] for target in imports[name]))
    return {
        name: {
            target
            for target in targets
            if not any(target in reach[other] for other in targets - {target})
        }
        for name, targets in imports.items()
    }


def graph_text(sources: list[Module]) -> str:
    """Return the import graph as a Mermaid drawing, and each layer in a table."""
    imports = unit_imports(sources)
    packages = {module.unit for module in sources if module.name.count(".") > 1}
    lines = ["```mermaid", "flowchart TD"]
    for name in sorted(imports):
        lines.append(f"    {name}[[{name}]]" if name in packages else f"    {name}({name})")
    for name, targets in sorted(direct_imports(imports).items()):
        lines += [f"    {name} --> {target}" for target in sorted(targets)]
    lines += ["```", "", "| layer | packages and modules | imports |", "|---|---|---|"]
    for level, names in reversed(list(enumerate(layers(imports)))):
        for name in names:
            imported = ", ".join(sorted(imports[name])) or "nothing of Asterism"
            lines.append(f"| {level} | `{name}` | {imported} |")
    return "\n".join(lines)


@dataclass(frozen=True)
class Sizes:
    """Sizes of a code base, counted as the review of the anchors counted them."""

    files: int
    lines: int
    file_lines: list[int]
    function_lines: list[int]
    parameters: list[int]
    comments: int
    package_files: list[int]


def measure(sources: list[Module]) -> Sizes:
    """Count lines, functions, parameters, comments and files of a package."""
    functions = [
        node
        for module in sources
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    file_lines = [len(module.text.splitlines()) for module in sources]
    packages: dict[str, int] = {}
    for module in sources:
        packages[_package(module)] = packages.get(_package(module), 0) + 1
    return Sizes(
        files=len(sources),
        lines=sum(file_lines),
        file_lines=file_lines,
        function_lines=[_length(function) for function in functions],
        parameters=[_parameters(function) for function in functions],
        comments=sum(_comments(module.text) for module in sources),
        package_files=list(packages.values()),
    )


def _package(module: Module) -> str:
    return module.name if "." not in module.name else module.name.rpartition(".")[0]


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    named += [star for star in (arguments.vararg, arguments.kwarg) if star is not None]
    return sum(argument.arg not in ("self", "cls") for argument in named)


def _comments(text: str) -> int:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type == tokenize.COMMENT for token in tokens)


ANCHOR_NAMES = ("procrastinate", "starlette", "pgqueuer", "aiosql", "sqlite-utils")
ANCHORS = {  # measured in the same way, at one commit of each
    "files / lines": ("27 / 6,631", "34 / 6,712", "70 / 9,974", "17 / 1,587", "10 / 11,248"),
    "lines of a file: median / p95 / max": (
        "171 / 705 / 1,042",
        "142 / 692 / 876",
        "51 / 725 / 1,083",
        "65 / 262 / 343",
        "130 / 5,547 / 5,547",
    ),
    "lines of a function: median / p95 / max": (
        "9 / 48 / 126",
        "5 / 39 / 149",
        "8 / 40 / 369",
        "5 / 30 / 71",
        "13 / 93 / 482",
    ),
    "parameters of a function: mean / p95 / max": (
        "1.7 / 5 / 16",
        "1.7 / 5 / 13",
        "1.4 / 5 / 11",
        "3.2 / 5 / 11",
        "3.2 / 14 / 36",
    ),
    "comments in 100 lines": ("3.6", "4.7", "1.6", "10.1", "3.4"),
    "files of a package: mean / max": ("9 / 25", "17 / 23", "5.4 / 13", "8.5 / 11", "10 / 10"),
}


def percentile(values: list[int], share: float) -> int:
    """Return the value that this share of all values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def size_figures(sizes: Sizes) -> dict[str, str]:
    """Return the figures of the table of sizes, by the name of their row."""
    spread = {
        "lines of a file: median / p95 / max": sizes.file_lines,
        "lines of a function: median / p95 / max": sizes.function_lines,
    }
    figures = {
        row: f"{statistics.median(values):.0f} / {percentile(values, 0.95)} / {max(values)}"
        for row, values in spread.items()
    }
    parameters, packages = sizes.parameters, sizes.package_files
    return figures | {
        "files / lines": f"{sizes.files} / {sizes.lines:,}",
        "parameters of a function: mean / p95 / max": f"{statistics.mean(parameters):.1f} / "
        f"{percentile(parameters, 0.95)} / {max(parameters)}",
        "comments in 100 lines": f"{100 * sizes.comments / sizes.lines:.1f}",
        "files of a package: mean / max": f"{statistics.mean(packages):.1f} / {max(packages)}",
    }


def sizes_text(sources: list[Module]) -> str:
    """Return the table of sizes, beside those of five packages that are known to be well kept."""
    figures = size_figures(measure(sources))
    heading = ["", "Asterism", *ANCHOR_NAMES]
    rows = [heading, ["---"] * len(heading)]
    rows += [[row, f"**{figures[row]}**", *anchors] for row, anchors in ANCHORS.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def between(page: str, marks: tuple[str, str]) -> str:
    """Return the part of a page between two marks."""
    return page.partition(marks[0])[2].partition(marks[1])[0].strip()


def replaced(page: str, marks: tuple[str, str], text: str) -> str:
    """Return a page with another text between two marks."""
    before, first, rest = page.partition(marks[0])
    _, last, after = rest.partition(marks[1])
    return f"{before}{first}\n{text}\n{last}{after}"


def main() -> None:
    sources = modules()
    page = PAGE.read_text(encoding="utf-8")
    parts: list[tuple[tuple[str, str], Callable[[list[Module]], str]]]
    parts = [(GRAPH, graph_text), (SIZES, sizes_text)]
    for marks, text in parts:
        page = replaced(page, marks, text(sources))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
