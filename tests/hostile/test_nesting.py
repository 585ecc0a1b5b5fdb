"""Deeply nested and endless files of every format end quickly, with a result or one line."""

import json
import zipfile
from pathlib import Path

import pytest

from hostile.processes import command

DEEP = 20_000
FILES: dict[str, str] = {
    "documents.sgm": '<refset setid="x">' + "<doc>" * DEEP + '<seg id="1">a</seg>' + "</doc>" * DEEP + "</refset>",
    "marks.sgm": '<refset><doc docid="x"><seg id=1>' + "<hl>" * DEEP + "a" + "</hl>" * DEEP + "</seg></doc></refset>",
    "tags.xml": "<dataset>" + "<x>" * DEEP + "a" + "</x>" * DEEP + "</dataset>",
    "attributes.xml": "<dataset " + " ".join(f'a{n}="x"' for n in range(DEEP)) + "></dataset>",
    "groups.xlf": '<xliff version="1.2"><file>' + "<group>" * DEEP + "</group>" * DEEP + "</file></xliff>",
    "lists.jsonl": '{"ref": ' + "[" * DEEP + "]" * DEEP + "}\n",
    "objects.jsonl": '{"a":' * DEEP + "1" + "}" * DEEP + "\n",
    "units.tmx": "<tmx><body>" + "<tu>" * DEEP + "</tu>" * DEEP + "</body></tmx>",
    "marks.xlf": '<xliff version="1.2"><file><body><trans-unit><source>' + "<g>" * DEEP + "a" + "</g>" * DEEP + "</source></trans-unit></body></file></xliff>",
}  # fmt: skip
TABLES: dict[str, str] = {
    "lists.toml": "x = " + "[" * DEEP + "]" * DEEP,
    "keys.toml": "[[" + ".".join("a" * 10 * DEEP) + "]]\n",
    "key.toml": ".".join("a" * 10 * DEEP) + " = 1\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("a b\n")
    return tmp_path


def check(*arguments: str) -> None:
    done = command(*arguments, timeout=60)
    assert done.returncode in (0, 1), done.stderr
    assert done.returncode == 0 or done.stderr.count(b"\n") == 1, done.stderr


@pytest.mark.parametrize("name", FILES)
def test_a_deeply_nested_text_gives_a_result_or_one_line(folder: Path, name: str) -> None:
    Path(name).write_text(FILES[name])
    check("score", "-r", name, "-i", "a.txt")


@pytest.mark.parametrize("name", TABLES)
def test_a_deeply_nested_table_gives_one_line(folder: Path, name: str) -> None:
    Path(name).write_text(TABLES[name])
    check("score", "-r", "a.txt", "-i", "a.txt", "-m", f"bleu@./{name}")
    check("gate", "a.txt", "--against", "a.txt", "-r", "a.txt", "--rules", name)


def test_a_tree_as_deep_as_its_sentence_is_scored(folder: Path) -> None:
    rows = [f"{n}\ta\ta\tX\t_\t_\t{n - 1}\tdep\t_\t_\n" for n in range(1, DEEP + 1)]
    Path("deep.conllu").write_text("".join(rows) + "\n")
    Path("long.txt").write_text("a " * DEEP + "\n")
    for metric in ("hwcm", "red"):
        check("score", "-r", "long.txt", "-i", "long.txt", "-m", metric, "--trees", "deep.conllu")


@pytest.mark.parametrize("name", ["lists.json", "objects.jsonl"])
def test_deeply_nested_judgments_give_one_line(folder: Path, name: str) -> None:
    Path(name).write_text("[" * DEEP + "]" * DEEP if name == "lists.json" else FILES[name])
    check("human", name)
    check("meta", "-r", "a.txt", "-i", "a.txt", "--human", name)


def test_a_run_with_a_deeply_nested_manifest_gives_one_line(folder: Path) -> None:
    for name, text in {"lists.run": "[" * DEEP, "objects.run": '{"kind":' * DEEP}.items():
        with zipfile.ZipFile(name, "w") as archive:
            archive.writestr("manifest.json", text)
        check("show", name)
        check("gate", name, "--against", name, "--metric", "bleu")


def test_a_deeply_nested_project_file_gives_one_line(folder: Path) -> None:
    Path("tertium.toml").write_text(TABLES["lists.toml"])
    check("score", "-r", "a.txt", "-i", "a.txt", "--config", "tertium.toml")


def test_scores_of_comet_may_not_nest_without_end(folder: Path) -> None:
    Path("comet.json").write_text(json.dumps({"a.txt": [0]})[:-2] + "[" * DEEP + "]" * DEEP + "]}")
    check("score", "-r", "a.txt", "-i", "a.txt", "--scores", "x=comet.json")
