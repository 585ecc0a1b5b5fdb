"""File names with `=` work in every command, also where `NAME=FILE` is allowed: a path that exists has no name.

Every command line below is run twice: with `~` in its file names and with `=` instead. Apart from that character
both runs print the same.
"""

import json
import random
import shutil
import sys
from pathlib import Path

import pytest

from tertium.cli.click_builder import DeclaredCommand
from tertium.cli.main import build_command, find_commands, main

WORDS = ["the", "old", "boat", "left", "a", "quiet", "harbour", "at", "noon", "under", "grey", "clouds"]
SYSTEMS = ("lr~0.1", "lr~0.2", "plain~")
N_SEGMENTS = 30


def write_texts(folder: Path) -> None:
    """Write a folder of test sets `set~1` with two language pairs, whose systems have `~` in their names."""
    draw = random.Random(7)
    for pair in ("de-en", "fr-en"):
        place = folder / "set~1" / pair
        (place / "systems").mkdir(parents=True)
        references = [" ".join(draw.choices(WORDS, k=8)) for _ in range(N_SEGMENTS)]
        (place / "ref.txt").write_text("\n".join(references) + "\n")
        (place / "src.txt").write_text("\n".join(references) + "\n")
        for system, noise in zip(SYSTEMS, (0.4, 0.5, 0.6), strict=True):
            lines = [
                " ".join(word if draw.random() > noise else draw.choice(WORDS) for word in line.split())
                for line in references
            ]
            (place / "systems" / f"{system}.txt").write_text("\n".join(lines) + "\n")


def write_files(folder: Path) -> None:
    """Write one file for every kind of option; all names have a `~`."""
    write_texts(folder)
    shutil.copytree(folder / "set~1", folder / "set~2")
    texts = folder / "set~1" / "de-en"
    for name in ("ref", "src"):
        shutil.copy(texts / f"{name}.txt", folder / f"{name}~1.txt")
    shutil.copytree(texts / "systems", folder / "out~1")
    rows = [(system, n) for n in range(1, N_SEGMENTS + 1) for system in SYSTEMS]
    scored = [f"{system}\t{n}\t{(n * 7 + SYSTEMS.index(system) * 31) % 17}" for system, n in rows]
    (folder / "human~1.tsv").write_text("\n".join(["system\tsegment\tscore", *scored]) + "\n")
    plain = [f"{system}\t{n % 13}" for system, n in sorted(rows)]
    (folder / "human~1.seg.score").write_text("\n".join(plain) + "\n")
    rated = [
        f"{system}\t{n}\t{(n * 7 + SYSTEMS.index(system) * 31) % 17}\trater{n % 2}" for system, n in rows
    ]
    (folder / "raters~1.tsv").write_text("\n".join(["system\tsegment\tscore\trater", *rated]) + "\n")
    columns = ["domain", *("news" if n % 2 else "talks" for n in range(N_SEGMENTS))]
    (folder / "columns~1.tsv").write_text("\n".join(columns) + "\n")
    table = {system: (texts / "systems" / f"{system}.txt").read_text().splitlines() for system in SYSTEMS}
    lines = [json.dumps({"candidates": list(each)}) for each in zip(*table.values(), strict=True)]
    (folder / "nbest~1.jsonl").write_text("\n".join(lines) + "\n")
    lines = [json.dumps({name: table[name][n] for name in SYSTEMS}) for n in range(N_SEGMENTS)]
    (folder / "table~1.jsonl").write_text("\n".join(lines) + "\n")
    vectors = [f"{word} {number} {number % 3} 1" for number, word in enumerate(WORDS, start=1)]
    (folder / "vectors~1.txt").write_text("\n".join(vectors) + "\n")
    (folder / "terms~1.tsv").write_text("boat\tboat\nharbour\tharbour\n")
    (folder / "rules~1.toml").write_text('[[rule]]\nmetric = "bleu"\nnot_worse = 5\n')
    (folder / "paraphrases~1.txt").write_text("0.5\nthe boat\nthe old boat\n")


TEXTS = "-r ref~1.txt -i out~1/lr~0.1.txt out~1/lr~0.2.txt"
NAMED = "-r ref~1.txt -i x~1=out~1/lr~0.1.txt lr~7=out~1/lr~0.2.txt"
JUDGED = "-r ref~1.txt -i out~1/lr~0.1.txt out~1/lr~0.2.txt out~1/plain~.txt --human human~1.tsv"

PREPARE = (
    f"score {TEXTS} -m bleu,chrf --save old~1.run",
    f"score {TEXTS} -m bleu,chrf --save new~1.run",
    "score set~1 --save sets~1.run",
    "score set~1 --save sets~2.run",
)
LINES = (
    f"score {TEXTS} --columns columns~1.tsv --by domain",
    f"score {NAMED} -f csv",
    "score -r ref~1.txt -i out~1/*.txt",
    "score -r ref~1.txt -i out~1/lr~*.txt",
    "score -r ref~1.txt -i out~1/lr~*.txt --batch-size 10",
    f"score {NAMED} --batch-size 10",
    "score -r ref~1.txt -i ours~1=out~1/lr~0.1.txt,out~1/lr~0.2.txt out~1/plain~.txt",
    "score -r ref~1.txt -i out~1/*.txt --group ours~1=lr~0.1,lr~0.2",
    "score -r ref~1.txt -i table~1.jsonl#lr~0.1 a~b=table~1.jsonl#lr~0.2",
    f"score {TEXTS} --scores human~1.tsv h~1=human~1.tsv",
    f"score {TEXTS} -m std --vectors vectors~1.txt",
    f"score {TEXTS} -s src~1.txt -m terms:glossary=terms~1.tsv",
    f"score {TEXTS} --align",
    "score set~1",
    "score --test-set=set~1 --test-set=set~2 -q",
    "score -t set~1 -l de-en",
    "score set~1 -m chrf",
    "show old~1.run",
    "rerun old~1.run",
    "compare old~1.run#lr~0.1 new~1.run#lr~0.2",
    "compare was~1=old~1.run#lr~0.1 is~1=new~1.run#lr~0.2 --columns columns~1.tsv",
    "compare out~1/lr~0.1.txt b~1=out~1/lr~0.2.txt -r ref~1.txt",
    "segments old~1.run",
    f"segments {NAMED}",
    "report old~1.run -o page~1.html",
    "gate new~1.run#lr~0.1 --against old~1.run#lr~0.1 --rules rules~1.toml",
    "gate out~1/lr~0.1.txt --against b~1=out~1/lr~0.2.txt -r ref~1.txt --metric bleu --not-worse 5",
    "plan old~1.run",
    "history old~1.run new~1.run --system lr~0.1",
    "history sets~1.run sets~2.run --system lr~0.1",
    f"explain {NAMED} --line 3",
    f"align {TEXTS} --write cut~1",
    f"align {TEXTS} --table sentences",
    "data set~1",
    "parse ref~1.txt",
    "mbr nbest~1.jsonl",
    "doctor out~1/lr~0.1.txt ref~1.txt",
    "doctor -i out~1/lr~0.1.txt -r ref~1.txt -s src~1.txt",
    "human raters~1.tsv",
    "select old~1.run --segments 5",
    "select out~1/lr~0.1.txt x~1=out~1/lr~0.2.txt -r ref~1.txt --segments 5",
    f"meta {JUDGED} -m bleu,chrf",
    f"meta {JUDGED} --scores human~1.seg.score -m bleu",
    f"tune -m bleu {JUDGED} --option max_ngram_order=1,2",
    f"tune -m bleu {JUDGED} --over max_ngram_order=1,2",
    "vectors info vectors~1.txt",
    "vectors convert vectors~1.txt made~1.npy",
    "vectors train ref~1.txt -o trained~1.bin",
    "paraphrases convert paraphrases~1.txt -o made~1.store",
)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Make two folders with the same files: one with `~` in their names, one with `=`."""
    found = {mark: tmp_path_factory.mktemp("files") for mark in "~="}
    write_files(found["~"])
    shutil.copytree(found["~"], found["="], dirs_exist_ok=True)
    for path in sorted(found["="].rglob("*~*"), key=lambda each: -len(each.parts)):
        path.rename(path.with_name(path.name.replace("~", "=")))
    for name in ("human", "raters", "table"):
        for path in found["="].glob(f"{name}=*"):
            path.write_text(path.read_text().replace("~", "="))
    return found


def run(line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["tertium", *line.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    return int(ended.value.code or 0), (said.out + said.err).replace("'", "")  # a shell quotes ~, but not =


@pytest.fixture(scope="module", autouse=True)
def saved_runs(folders: dict[str, Path]) -> None:
    """Write the runs that the command lines read."""
    with pytest.MonkeyPatch.context() as patch:
        for mark, folder in folders.items():
            patch.chdir(folder)
            for line in PREPARE:
                patch.setattr(sys, "argv", ["tertium", *line.replace("~", mark).split()])
                with pytest.raises(SystemExit, match="0"):
                    main()


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_names_with_an_equals_sign_work_like_others(
    line: str,
    folders: dict[str, Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folders["~"])
    code, expected = run(line, capsys, monkeypatch)
    assert code in (0, 3), expected
    monkeypatch.chdir(folders["="])
    assert run(line.replace("~", "="), capsys, monkeypatch) == (code, expected.replace("~", "="))


def test_every_command_that_reads_files_is_tried() -> None:
    tried = {line.partition(" ")[0] for line in LINES} | {" ".join(line.split()[:2]) for line in LINES}
    for name in find_commands():
        command = build_command(name)
        assert isinstance(command, DeclaredCommand)
        reads = any(
            option.access == "read" and option.name != "config" for option in command.options.values()
        )
        assert not reads or name in tried, name
