"""The guarantees of SECURITY.md: no code from data files, no network connections, and a test for each guarantee."""

import ast
import re
from pathlib import Path

import pytest

import tertium
from hostile.processes import run

ROOT = Path(__file__).parents[2]
PACKAGE = Path(tertium.__file__).parent
PROMISES = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
CODE_FROM_DATA = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "runpy", "code"}
NETWORK = {"socket", "http", "urllib.request", "ftplib", "smtplib", "requests", "httpx", "aiohttp", "xmlrpc"}
CALLS = {"eval", "exec", "compile", "__import__"}


def sources() -> list[Path]:
    """Return all modules of the package except the engines, because the Dask engine connects to its workers."""
    return [path for path in PACKAGE.rglob("*.py") if "engines" not in path.relative_to(PACKAGE).parts]


def imported(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for each in names for name in (each, each.partition(".")[0])}


def test_no_module_can_load_code_from_data_or_open_a_connection() -> None:
    for path in sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not imported(tree) & (CODE_FROM_DATA | NETWORK), path
        called = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & CALLS, path


def test_numpy_never_loads_a_pickle() -> None:
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("np.load", "numpy.load"):
                assert "allow_pickle=False" in ast.unparse(node), path


AUDITED = """
import tertium
from tertium.catalog import self_contained_names

def refuse(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "pickle.find_class"):
        os.write(2, f"{event} {arguments}\\n".encode())
        os._exit(3)

sys.addaudithook(refuse)
lines = ["The cat sat on the mat.", "He bought a new car."]
tertium.score(lines, lines[::-1], self_contained_names(), source=lines, paraphrases=sys.argv[1])
print("nothing was opened or loaded")
"""


def test_scoring_opens_no_connection_and_loads_no_pickle(tmp_path: Path) -> None:
    """Python's audit events would report it, regardless of the library."""
    table = tmp_path / "paraphrases"
    table.write_text("0.5\nbought\npurchased\n", encoding="utf-8")
    assert "nothing was opened or loaded" in run(AUDITED, str(table))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(tests/[\w/]+\.py::\w+)`", PROMISES))))
def test_the_tests_that_hold_the_promises_exist(name: str) -> None:
    path, _, test = name.partition("::")
    assert re.search(rf"^def {test}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_every_promise_names_a_test() -> None:
    rows = [line for line in PROMISES.partition("## Time")[0].splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 10
    assert [row for row in rows if "`tests/" not in row] == []
