"""Collections of test sets: folders, manifests, and named test sets with a pattern for the outputs."""

from pathlib import Path

import pytest

from tertium.corpus.test_sets import SuiteMember, list_members
from tertium.errors import InputError

TOML = '[[test_set]]\nname = "one"\nreferences = "ref.txt"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create texts, a folder with a language pair, and one without outputs."""
    monkeypatch.chdir(tmp_path)
    for name in ("ref.txt", "out/A.one.txt", "out/B.one.txt", "wmt/de-en/ref.txt", "wmt/de-en/src.txt"):
        write(name, "a\n")
    write("wmt/de-en/systems/A.txt", "a\n")
    write("wmt/de-en/columns.tsv", "domain\nnews\n")
    write("bare/de-en/ref.txt", "a\n")
    write("bare/de-en/systems/.hidden", "")
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def test_a_folder_gives_its_language_pairs_with_all_files() -> None:
    assert list_members(["wmt"], [], [], []) == [
        SuiteMember(
            "de-en",
            "de-en",
            ("wmt/de-en/ref.txt",),
            "wmt/de-en/src.txt",
            {"A": "wmt/de-en/systems/A.txt"},
            "wmt/de-en/columns.tsv",
        )
    ]


def test_paths_of_a_toml_manifest_are_relative_to_it() -> None:
    write("sets/a.toml", TOML.replace('"ref.txt"', '["../ref.txt"]') + 'systems = {A = "../out/A.one.txt"}\n')
    (member,) = list_members(["sets/a.toml"], [], [], [])
    assert (member.references, member.systems) == (("sets/../ref.txt",), {"A": "sets/../out/A.one.txt"})
    assert (member.language, member.source, member.columns) == (None, None, None)


@pytest.mark.parametrize("pattern", ["out/{system}.one.txt", "out/*.one.txt"])
def test_a_pattern_names_the_systems(pattern: str) -> None:
    write("a.toml", f'{TOML}systems = "{pattern}"\n')
    (member,) = list_members(["a.toml"], [], [], [])
    names = ["A", "B"] if "{" in pattern else ["A.one", "B.one"]
    assert list(member.systems) == names


def test_a_pattern_gives_outputs_to_a_named_test_set() -> None:
    (member,) = list_members([], ["wmt"], ["out/{system}.one.txt"], [])
    assert (member.name, sorted(member.systems)) == ("wmt de-en", ["A", "B"])


def test_rows_of_a_tsv_manifest_are_grouped_by_test_set() -> None:
    rows = ["one\tA\tout/A.one.txt\tref.txt\tde", "one\tB\tout/B.one.txt\tref.txt\tde", "two\tA\ta\tb\t"]
    write("a.tsv", "\n".join(["test_set\tsystem\tfile\treference\tlanguage", *rows, ""]))
    one, two = list_members(["a.tsv"], [], [], [])
    assert (one.references, dict(one.systems)) == (
        ("ref.txt",),
        {"A": "out/A.one.txt", "B": "out/B.one.txt"},
    )
    assert (one.language, two.language, two.name) == ("de", None, "two")
    assert [member.name for member in list_members(["a.tsv"], [], [], ["de"])] == ["one"]
    with pytest.raises(InputError, match="there is no test set for fr"):
        list_members(["a.tsv"], [], [], ["de", "fr"])


def test_equal_names_of_two_manifests_are_told_apart() -> None:
    for name in ("a", "b"):
        write(f"{name}.toml", f'{TOML}systems = "out/*.txt"\n')
    assert [member.name for member in list_members(["a.toml", "b.toml"], [], [], [])] == ["a one", "b one"]
    write("a.toml", f'{TOML}systems = "out/*.txt"\n' * 2)
    with pytest.raises(InputError, match="two test sets are called 'a one'; give them different names"):
        list_members(["a.toml"], [], [], [])


HEADER = "test_set\tsystem\tfile\treference\n"
MISTAKES = {
    "another file": ("a.txt", "", r"a\.txt is neither a folder nor a manifest"),
    "no TOML": ("a.toml", "[", r"a\.toml is not TOML: "),
    "no table": ("a.toml", "test_set = 1\n", r"a\.toml needs a table \[\[test_set\]\] for each test set"),
    "no tables": ("a.toml", "test_set = [1]\n", r"a\.toml, test set 1: it needs name = "),
    "no systems": ("a.toml", TOML, r"a\.toml, test set 1: it needs name = "),
    "no match": ("a.toml", f'{TOML}systems = "gone/*"\n', r"a\.toml, test set 1: no file matches gone/\*"),
    "a number": (
        "a.toml",
        f'{TOML}systems = {{A = "a"}}\nlanguage = 1\n',
        r"a\.toml, test set 1: language must be a text, not 1",
    ),
    "no header": ("a.tsv", "", r"a\.tsv, line 1: expected a header with the columns test_set, system"),
    "a short row": ("a.tsv", f"{HEADER}one\tA\n", r"a\.tsv, line 2: 2 columns instead of 4"),
    "a system twice": ("a.tsv", HEADER + "one\tA\ta\tr\n" * 2, r"a\.tsv, line 3: A occurs twice in one"),
    "no rows": ("a.tsv", HEADER, "there is no test set"),
}


@pytest.mark.parametrize(("name", "text", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_manifest_names_the_place(name: str, text: str, message: str) -> None:
    write(name, text)
    with pytest.raises(InputError, match=message):
        list_members([name], [], [], [])


def test_a_test_set_without_outputs_needs_a_pattern() -> None:
    with pytest.raises(InputError, match="bare has no system outputs; give them with hypotheses="):
        list_members(["bare"], [], [], [])
