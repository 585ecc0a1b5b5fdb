"""What import-linter cannot see."""

import ast
import re
import sys
import tomllib
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import pytest

import tertium
from tertium.catalog import metric_names
from tertium.commands import SHARED, find_families

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src" / "tertium").rglob("*.py"))
HEADERS = sorted((ROOT / "native" / "include").rglob("*.hpp"))
BINDINGS = sorted((ROOT / "native" / "bindings").iterdir())
COMMANDS = ROOT / "src" / "tertium" / "commands"
MOST_LINES = 200  # of a class of a command
PUBLIC_MODULES = {"errors.py", "interfaces.py", "values.py", "vectors.py", "paraphrases.py"}
NATIVE_ROOMS = {
    "base",
    "ngrams",
    "alignment",
    "edits",
    "encoder",
    "inversion",
    "meteor",
    "vectors",
    "trees",
    *(f"stats/{room}" for room in ("random", "sums", "resampling", "permutation")),
}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_only_kernels_call_the_compiled_core(path: Path) -> None:
    if path.parent.name != "kernels":
        assert "tertium._core" not in path.read_text(encoding="utf-8")


def test_class_names_are_unique() -> None:
    names = Counter(
        node.name
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_only_packages_and_public_modules_have_all(path: Path) -> None:
    if path.name not in {"__init__.py", *PUBLIC_MODULES}:
        assert not re.search(r"^__all__\b", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_no_module_shadows_the_standard_library() -> None:
    # a script that is started in the folder of such a module would import it
    assert [path.name for path in SOURCES if path.stem in sys.stdlib_module_names] == []


@pytest.mark.parametrize("path", HEADERS, ids=lambda path: path.name)
def test_the_core_knows_no_python(path: Path) -> None:
    assert not re.search(r"nanobind|Python\.h|\bPy_", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", HEADERS, ids=lambda path: path.name)
def test_every_header_stands_in_a_room_and_says_first_what_it_holds(path: Path) -> None:
    assert path.parent.relative_to(ROOT / "native" / "include" / "tertium").as_posix() in NATIVE_ROOMS
    assert path.read_text(encoding="utf-8").startswith("// ")


@pytest.mark.parametrize("room", ["inversion", "meteor", "stats", "vectors"])
def test_the_overview_of_a_large_room_names_all_that_is_in_it(room: str) -> None:
    folder = ROOT / "native" / "include" / "tertium" / room
    named = set(re.findall(r"`(\w+)(?:\.hpp|/)`", (folder / "README.md").read_text(encoding="utf-8")))
    assert {path.stem for path in folder.iterdir()} - {"README"} <= named
    assert named <= {path.stem for path in (ROOT / "native" / "include").rglob("*")}


@pytest.mark.parametrize("path", HEADERS, ids=lambda path: path.name)
def test_only_the_simd_vocabulary_uses_compiler_vectors(path: Path) -> None:
    if path.name != "simd.hpp":
        assert not re.search(
            r"_mm\d*_(?!prefetch)|__m\d|vector_size|immintrin", path.read_text(encoding="utf-8")
        )


def test_the_table_of_contents_has_no_algorithm() -> None:
    contents = (ROOT / "native" / "bindings" / "module.cpp").read_text(encoding="utf-8")
    assert not re.search(r"\b(for|while|if|switch)\b", contents.split("NB_MODULE")[1])
    assert contents.count("bind_") == len([path for path in BINDINGS if path.suffix == ".cpp"]) - 1


@pytest.mark.parametrize("name", metric_names())
def test_every_metric_has_a_test_file_of_its_name(name: str) -> None:
    (source,) = (ROOT / "src" / "tertium" / "metrics").glob(f"*/{name}.py")
    assert (ROOT / "tests" / "metrics" / source.parent.name / f"test_{name}.py").is_file()


def test_the_citation_and_the_package_have_the_same_version() -> None:
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited is not None
    assert cited[1] == tertium.__version__ == version("tertium")


def list_texts(path: Path) -> list[str]:
    """List the texts of a module, without docstrings and the declarations of options."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("Opt", "replace")
        )
        for part in ast.walk(node)
        if isinstance(node, ast.Call) or isinstance(node.value, ast.Constant)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped
    ]


# Files of commands that belong to the command line
COMMAND_LINE = {"command_line.py", "output.py", "sacrebleu.py"}
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+|(?<![\w-])-[a-z] [A-Z]{2,}")


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if path.parent.name != "cli" and path.name not in COMMAND_LINE],
    ids=lambda path: path.stem,
)
def test_only_the_command_line_knows_flags(path: Path) -> None:
    """Messages name options by `argument`; a whole command, such as `tertium meta --calibrate`, may be quoted."""
    assert [
        text
        for text in list_texts(path)
        if FLAG.search(re.sub(r"\b(tertium|sacrebleu|mtme|pip|iconv|python|kill) [^;,]*", "", text))
    ] == []


VERDICT = re.compile(
    r"\bsignificantly\b|no significant difference|share a letter|Holm-adjusted|p \(Holm\)|half of the [^.]*interval"
    r"|(worse|better) than allowed|would show it|would separate|separating "
)


def test_verdicts_and_legends_stand_in_one_module() -> None:
    """A claim about systems is worded once; tables, the page, charts and gates read it."""
    pages = [*COMMANDS.rglob("*.html"), *COMMANDS.rglob("*.js")]
    texts = {path: list_texts(path) for path in SOURCES if path.name != "verdicts.py"}
    texts |= {path: [path.read_text(encoding="utf-8")] for path in pages if "library" not in path.parts}
    assert [
        (path.name, text) for path, found in texts.items() for text in found if VERDICT.search(text)
    ] == []
    own = " ".join(list_texts(ROOT / "src" / "tertium" / "verdicts.py"))
    assert len(set(VERDICT.findall(own))) > 1


def test_the_contract_of_independence_names_every_family_but_the_report() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (
        each for each in project["tool"]["importlinter"]["contracts"] if each["type"] == "independence"
    )
    assert {each.rpartition(".")[2] for each in contract["modules"]} == set(find_families()) - {"report"}


# Names with several declarations, mostly because they mean different things in different commands.
AMBIGUOUS_OPTIONS = {
    "autorank": "score loads the request for many test sets, which declares it, only when it is needed",
    "places": "score loads the request for many test sets, which declares it, only when it is needed",
    "alpha": "evaluation declares the rule of a gate, with its one-sided level",
    "by": "evaluation declares the rule of a gate, with its column",
    "file": "the positional argument of parse and vectors info",
    "files": "the positional arguments of doctor and rerun",
    "language": "the positional argument of languages, and the language of the texts",
    "matrix": "the name of the matrix to draw (explain), and a file of matrices (mbr)",
    "metric": "evaluation declares the rule of a gate, with its metric",
    "n": "the segments to show, and the size of the planned test set (plan)",
    "raters": "the raters of a campaign (select), and the raters to plan with (human --plan)",
    "segments": "a budget (select), and whether segments are shown (score)",
    "sort": "a metric (score), a metric or a column (segments), and whether metrics are ordered (meta)",
    "source": "the file to convert (vectors, paraphrases), and the source text",
    "target": "the file that a conversion writes: positional for vectors, -o for paraphrases",
    "test_set": "the positional argument of data, a name in written files (meta), and the test set to score",
    "unit": "segments or documents to score, and the unit that human resamples",
}


def test_an_option_of_several_commands_is_declared_once() -> None:
    """A command takes a shared declaration as it is, or says more with `replace(SOURCE, help=…)`."""
    declared: dict[str, set[str]] = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.AnnAssign(annotation=ast.Subscript(slice=ast.Tuple(elts=[_, opt]))):
                    found = re.match(r"(?:replace\()?([A-Z_]+|Opt(?=\())\b", ast.unparse(opt))
                    if found:
                        place = f"{path}:{node.lineno}" if found[1] == "Opt" else found[1]
                        declared.setdefault(ast.unparse(node.target), set()).add(place)
    assert {name for name, places in declared.items() if len(places) > 1} == set(AMBIGUOUS_OPTIONS)


def test_every_folder_of_commands_is_a_family_or_what_families_share() -> None:
    folders = {each.parent.name for each in COMMANDS.glob("*/__init__.py")}
    assert folders == {*find_families(), SHARED}


@pytest.mark.parametrize(
    "path", sorted(COMMANDS.rglob("*.py")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_a_request_declares_and_delegates(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert [node.name for node in classes if (node.end_lineno or 0) - node.lineno >= MOST_LINES] == []
    requests = [node for node in classes if node.name.endswith("Request")]
    calls = [
        ast.unparse(node.func)
        for request in requests
        for node in ast.walk(request)
        if isinstance(node, ast.Call)
    ]
    assert [call for call in calls if re.search(r"^open$|\.(read_text|read_bytes)$", call)] == []


def test_a_loop_names_what_it_loops_over() -> None:
    """`for metric in metrics`, not `for each in metrics`."""
    unnamed = [
        f"{path.relative_to(ROOT)}:{name.lineno}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for name in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(name, ast.arg) and name.arg == "each")
        or (isinstance(name, ast.Name) and name.id == "each")
    ]
    assert unnamed == []


def test_no_test_waits_for_less_than_half_a_minute() -> None:
    """A loaded machine never fails a test: a limit on the clock is there for a program that hangs."""
    short = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call):
                limits = [keyword.value for keyword in call.keywords if keyword.arg in ("timeout", "seconds")]
                if isinstance(call.func, ast.Attribute) and call.func.attr in ("wait", "join", "result"):
                    limits += call.args[:1]
                numbers = [limit.value for limit in limits if isinstance(limit, ast.Constant)]
                short += [
                    f"{path.relative_to(ROOT)}:{call.lineno}"
                    for number in numbers
                    if isinstance(number, int | float) and 0 < number < 30
                ]
    assert short == []
