"""The documentation is made from the code and stays so; its commands run as written; its site builds."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest

import tertium
from tertium.catalog import families

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
MARKDOWN = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")]
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
sys.path.insert(0, str(ROOT / "tools"))

import run_docs  # noqa: E402


@pytest.mark.parametrize(
    ("tool", "page"),
    [
        ("make_api_docs", "api.md"),
        ("make_command_docs", "commands.md"),
        ("make_which_metric", "which-metric.md"),
        ("make_stub", "../src/tertium/__init__.pyi"),
    ],
)
def test_a_page_made_from_the_code_is_up_to_date(tool: str, page: str) -> None:
    code = f"import sys; sys.path.insert(0, 'tools'); import {tool} as m; print(m.render_page(), end='')"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    shown = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert shown == run.stdout, f"docs/{page} is old: run 'make docs'"


def test_the_pages_of_metrics_are_up_to_date_and_there_is_one_for_every_metric() -> None:
    code = "import sys; sys.path.insert(0, 'tools'); import json, make_metric_docs as m; print(json.dumps(m.render_pages()))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    made: dict[str, str] = json.loads(run.stdout)
    kept = {f"metrics/{path.name}" for path in (DOCS / "metrics").glob("*.md")} | {"metrics.md"}
    assert kept == set(made) == {f"metrics/{name}.md" for name in families()} | {"metrics.md"}
    old = [path for path, text in made.items() if (DOCS / path).read_text(encoding="utf-8") != text]
    assert not old, f"{old} are old: run 'make docs'"


def test_every_changelog_fragment_is_of_a_known_kind_and_says_something() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
    kinds = "|".join(kind["directory"] for kind in settings["type"])
    fragments = [path for path in (ROOT / settings["directory"]).iterdir() if path.name != "README.md"]
    odd = [
        path.name
        for path in fragments
        if not re.fullmatch(rf"[a-z0-9-]+\.({kinds})\.md", path.name) or not path.read_text("utf-8").strip()
    ]
    assert not odd, "changelog.d/README.md says how a fragment is called"


def test_every_link_leads_to_a_file_and_every_anchor_to_a_heading() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in [*MARKDOWN, *DOCS.rglob("*.md")]
        for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
        if not _resolves(page, target)
    ]
    assert broken == []


def _resolves(page: Path, target: str) -> bool:
    if re.match(r"https?:", target):
        return True
    name, _, anchor = target.partition("#")
    path = page.parent / name if name else page
    return path.exists() and (not anchor or anchor in _anchors(path))


def _anchors(page: Path) -> set[str]:
    """List the anchors of headings, as both the site and repository pages make them."""
    headings = re.findall(r"^#+ (.*)$", CODE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_public_name_is_in_the_python_reference() -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^### tertium\.(\w+)", text, re.MULTILINE))
    errors = {"TertiumError"}  # a heading without the package
    assert set(tertium.__all__) - documented - errors == {"__version__"}


def test_every_page_of_the_site_is_reached_from_the_first_one() -> None:
    reached: set[Path] = set()
    open_pages = [DOCS / "index.md"]
    while open_pages:
        page = open_pages.pop()
        if page not in reached:
            reached.add(page)
            open_pages += _toctree(page)
    assert set(DOCS.rglob("*.md")) - reached == set()
    assert len(_toctree(DOCS / "index.md")) <= 7


def _toctree(page: Path) -> list[Path]:
    blocks = re.findall(
        r"^```\{toctree\}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    entries = [line for block in blocks for line in block.splitlines() if line and not line.startswith(":")]
    return [found for entry in entries for found in page.parent.glob(f"{entry}.md")]


@pytest.mark.parametrize("page", run_docs.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_shows_is_what_its_commands_print(page: Path) -> None:
    differences = run_docs.check_page(page)
    assert not differences, "\n\n".join(map(str, differences))


def test_every_block_of_a_page_is_run_or_says_why_not() -> None:
    for page in run_docs.pages():
        for fence in run_docs.FENCE.finditer(page.read_text(encoding="utf-8")):
            if "no-run" in fence["rest"]:
                assert len(fence["rest"].partition("no-run")[2].strip()) > 5, f"{page.name}: {fence[0]}"


def test_a_page_that_shows_something_else_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```console\n$ echo one\ntwo\n$ false\n$ false # exit 1\n```\n```python\nprint(1 + 1)  # > 3\n```\n"
    )
    assert [each.command for each in run_docs.check_page(page)] == [
        "echo one",
        "false",
        "print(1 + 1)  # > 3\n",
    ]


def test_the_site_builds_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the site needs tertium[docs]")
    pytest.importorskip("furo", reason="the site needs tertium[docs]")
    pytest.importorskip("latex2mathml", reason="the site needs tertium[docs]")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "-d",
        str(tmp_path / "cache"),
        "docs",
        str(tmp_path / "site"),
    ]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    for page in (tmp_path / "site").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert 'src="http' not in text, page.name
        assert '<link rel="stylesheet" type="text/css" href="http' not in text, page.name
    assert _find_broken_links(tmp_path / "site") == []


def _find_broken_links(site: Path) -> list[str]:
    """List the links of a built site that lead to no page, or to no place of a page."""
    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    places = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in pages.items()}
    broken = []
    for page, text in pages.items():
        for name, anchor in re.findall(r'<a [^>]*href="(?!\w+:)([^"#]*)#?([^"]*)"', text):
            target = (page.parent / unquote(name)).resolve() if name else page
            if not target.exists() or (
                anchor and unquote(anchor) not in places.get(target, {unquote(anchor)})
            ):
                broken.append(f"{page.name}: {name}#{anchor}")
    return broken


def test_every_place_that_contributing_names_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    places = set(re.findall(r"`([\w./-]+(?:/|\.py|\.hpp|\.json|\.toml|\.yml))`", text))
    package = ROOT / "src" / "tertium"
    roots = [ROOT, ROOT / "src", ROOT / "native" / "include" / "tertium", package]
    roots += [folder for folder in package.rglob("*") if folder.is_dir()]
    missing = [place for place in places if not any((root / place).exists() for root in roots)]
    assert missing == []
