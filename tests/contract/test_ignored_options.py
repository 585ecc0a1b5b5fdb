"""No option is ignored without a word: each one changes what a command prints or writes, or is an error.

Every command runs in its modes on small data, once as it is and once with each of its options. An option that names a file gets one that
does not exist, so it passes only if the command reads or rejects it.
"""

import json
import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from hostile.forked import Finished, run_command
from tertium.cli.click_builder import DeclaredCommand
from tertium.cli.main import build_command, find_commands
from tertium.declarations import CommandOption

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs forks"),
    pytest.mark.slow,
]

DATA = Path(__file__).parents[2] / "examples" / "data"
LOADED = {
    name: loaded for name in find_commands() if isinstance(loaded := build_command(name), DeclaredCommand)
}
N_SEGMENTS = 12
SYSTEMS = ("aurora", "boreas", "cirrus", "delta")
FILES = ["-r", "ref.txt", "-i", *(f"{name}.txt" for name in SYSTEMS)]
TWO = ["aurora.txt", "boreas.txt", "-r", "ref.txt"]
JUDGED = [*FILES, "--human", "human.tsv"]
BLEU = ["-m", "bleu,ter", "--samples", "9"]
CHRF = ["-m", "chrf", "--option", "beta=1,2"]
SCORED = [*FILES, "-m", "bleu,ter"]
ALIGNED = ["-r", "ref.txt", "-i", "joined.txt"]
PAGE = ["-o", "out/page.html", "--samples", "9"]

MODES: dict[str, dict[str, list[str]]] = {
    "meta": {
        "a folder": ["judged", *BLEU],
        "a folder with other judgments": ["judged", "--human", "human.tsv", "-p", "de-en", *BLEU],
        "files": [*JUDGED, *BLEU],
        "parts": ["judged", *BLEU, "--by", "domain"],
        "scores without texts": ["--scores", "chrf.seg.score", "--human", "human.tsv", "--samples", "9"],
        "a calibration": ["judged", "-m", "bleu,ter", "--calibrate", "-o", "out/calibration.json"],
        "a folder of mt-metrics-eval": ["wmt23", *BLEU],
    },
    "tune": {
        "a folder": ["judged", *CHRF],
        "files": [*JUDGED, *CHRF],
        "a curve": ["judged", "-m", "chrf", "--over", "beta=1,2"],
        "a mix": ["judged", "--mix", "bleu,chrf"],
        "random search": ["judged", "-m", "chrf", "--option", "beta=0:3", "--search", "random", "--trials", "3"],
    },
    "human": {
        "a ranking": ["human.tsv", "--samples", "9"],
        "raters": ["human.tsv", "-t", "raters"],
        "a plan": ["human.tsv", "--plan", "-d", "2"],
        "errors": ["spans.jsonl", "-t", "errors"],
        "spans": ["spans.jsonl", "-t", "spans", "--automatic", "judge.jsonl"],
    },
    "select": {
        "metrics": [*TWO, "--segments", "3"],
        "at random": [*TWO, "--segments", "3", "--method", "random"],
        "the outputs alone": [*TWO, "--segments", "3", "--method", "diversity"],
        "a run": ["ab.run", "--segments", "3"],
    },
    "segments": {"a run": ["ab.run"]},
    "compare": {"all tables": [*TWO, *BLEU], "a segment": [*TWO, *BLEU, "--line", "1"], "a run": ["ab.run"]},
    "history": {"runs": ["b.run", "ab.run", "--system", "boreas"]},
    "plan": {"a run": ["ab.run", "-d", "1"]},
    "gate": {"runs": ["b.run", "--against", "a.run", "--metric", "chrf"]},
    "report": {"a run": ["ab.run", *PAGE], "outputs": [*FILES, "-m", "chrf", *PAGE]},
    "show": {table: ["ab.run", "-t", table] for table in ("scores", "run", "metrics", "columns", "inputs")},
    "explain": {"files": ["-m", "ter", "-i", "aurora.txt", "-r", "ref.txt", "--line", "2"]},
    "mbr": {"candidates": ["aurora.txt", "-k", "4", "-m", "chrf"]},
    "score": {
        "systems": SCORED,
        "one system": ["-r", "ref.txt", "-i", "aurora.txt", "-m", "bleu,ter"],
        "intervals": [*SCORED, "--ci", "--full", "--samples", "9"],
        "a baseline": [*SCORED, "--paired", "bootstrap", "--samples", "9"],
        "segments": [*SCORED, "--segments"],
        "numbers": [*SCORED, "--score-only"],
        "parts": [*SCORED, "--columns", "columns.tsv", "--by", "domain"],
        "training runs": [*SCORED, "--group", "x=aurora,boreas"],
        "cut outputs": [*SCORED, "--align"],
        "documents": [*SCORED, "--columns", "columns.tsv", "--unit", "document"],
        "many test sets": ["judged", "-m", "bleu,ter", "--samples", "9"],
    },
    "align": {
        "cuts": ALIGNED,
        "segments": [*ALIGNED, "-t", "segments"],
        "sentences": [*ALIGNED, "-t", "sentences"],
        "groups": [*ALIGNED, "-t", "groups"],
    },
    "doctor": {"a file": ["aurora.txt", "-r", "ref.txt"]},
    "metrics": {"all": [], "one": ["bleu"]},
    "languages": {"all": [], "one": ["de"]},
    "data": {"all": []},
    "cite": {"a metric": ["bleu"]},
    "parse": {"a text": ["aurora.txt", "-o", "out/a.conllu"]},
    "vectors convert": {"text": ["vectors.txt", "out/v.vectors"], "words": ["vectors.txt", "out/v.txt"]},
    "vectors info": {"text": ["vectors.txt"]},
    "vectors train": {"a text": ["ref.txt", "-o", "out/t.txt", "--dimension", "3", "--epochs", "1", "--min-count", "1"]},
    "paraphrases convert": {"a table": ["paraphrases.txt", "-o", "out/p.paraphrases"]},
}  # fmt: skip

CHANGES_NO_RESULT = {"quiet", "config", "programs", "threads", "engine", "workers", "scheduler", "batch_size"}
"""Options about the messages, consent, and where and in which parts the work is done."""

PRESENTATION = {"form", "signatures", "details", "style", "matrix"}
"""Options that only some formats show; the modes are run in JSON."""

OF_TESTS = {"samples", "alpha", "seed", "test", "resample"}
"""One choice of intervals and tests for all tables of a project, of which some have neither."""

DEPENDS_ON_DATA = {
    "language": "only some metrics and tokenizers differ between languages",
    "ratio": "there are no rankings here",
    "skip_unknown": "no judgment is of an unknown system here",
    "no_outliers": "no system is an outlier",
    "unchecked": "the judgments fit their texts here",
    "at_least": "every segment has several judgments",
    "by_length": "only system scores that are means of segments are weighted",
    "normalise_raters": "the order of systems stays",
    "similar": "all systems are of different origin",
    "align": "the outputs have the segments of the references",
    "keep_first": "no word has two vectors",
    "absolute": "every agreement is positive where a metric of errors is missing",
    "sort": "a single metric, or the order of the file, is in order",
    "combine": "a single metric is not combined",
    "parts_of_speech": "the table shows what differs",
    "lowercase": "both systems write in the same case",
}
"""Options that would change the result on other data, with the reason why they do not here."""

EXEMPT = CHANGES_NO_RESULT | PRESENTATION | OF_TESTS | DEPENDS_ON_DATA.keys()

VALUES = {
    "at_most": "1", "baseline": "boreas", "best": "2", "by": "domain", "comparisons": "7", "cost": "3", "difference": "2", "documents": "domain", "dimension": "4", "epochs": "2", "min_count": "2", "exclude": "r1", "gold": "da-sqm",
    "group": "x=aurora,boreas", "hours": "2", "layout": "2016", "leave_out": "delta", "line": "2", "lines": "2", "lower": "chrf", "boundaries": "0", "similar": "spelling", "metric": "ter", "metrics": "ter",
    "mix": "bleu,ter", "n": "1", "n_systems": "4", "n_trials": "2", "not_worse": "2", "objective": "segment:pearson", "options": "word_order=0,1",
    "over": "word_order=0,1", "pairs": "cs-en", "parser": "nowhere", "per_source": "3", "power": "0.5", "raters": "2", "refs": "refA", "sample": "2", "score": "rater",
    "seconds_per_word": "3", "segments": "2", "statistics": "segment:pearson", "system": "aurora", "systems": "aurora", "test_set": "ours", "title": "Ours",
    "tokenizer": "char", "where": "length<20", "words": "20", "worst": "2",
}  # fmt: skip
"""A value of each option that changes a result where it is used."""

CASES = [
    pytest.param(
        name,
        words,
        id=f"{name}: {mode}",
        marks=pytest.mark.skipif(
            name == "vectors train" and find_spec("gensim") is None, reason="needs the extra train"
        ),
    )
    for name, modes in MODES.items()
    for mode, words in modes.items()
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write texts of four systems, their judgments as files and as a folder of two language pairs, and three runs."""
    made = tmp_path_factory.mktemp("modes")
    texts = {"ref": "reference.en.txt", "src": "source.de.txt"} | {
        name: f"systems/{name}.txt" for name in SYSTEMS
    }
    for name, path in texts.items():
        lines = (DATA / path).read_text(encoding="utf-8").splitlines(keepends=True)
        (made / f"{name}.txt").write_text("".join(lines[:N_SEGMENTS]), encoding="utf-8")
    rows = [f"{('news', 'talk')[i % 2]}\td{i // 3}" for i in range(N_SEGMENTS)]
    (made / "columns.tsv").write_text("\n".join(["domain\tdocument", *rows, ""]), encoding="utf-8")
    header, *judged = (DATA / "human.tsv").read_text(encoding="utf-8").splitlines()
    judged = [
        row for row in judged if (cells := row.split("\t"))[0] in SYSTEMS and int(cells[1]) <= N_SEGMENTS
    ]
    (made / "human.tsv").write_text("\n".join([header, *judged, ""]), encoding="utf-8")
    joined = (made / "aurora.txt").read_text(encoding="utf-8").replace("\n", " ")
    (made / "joined.txt").write_text(f"{joined}\n", encoding="utf-8")
    (made / "vectors.txt").write_text("the 1 2\ncat 3 4\ndog 5 6\n", encoding="utf-8")
    (made / "paraphrases.txt").write_text("0.5\nthe cat\na cat\n", encoding="utf-8")
    scores = [f"{name}\t{7 * i % 13 + k}" for k, name in enumerate(SYSTEMS) for i in range(N_SEGMENTS)]
    (made / "chrf.seg.score").write_text("\n".join([*scores, ""]), encoding="utf-8")
    write_spans(made)
    write_mtme(made / "wmt23")
    pairs = ("cs-en", "de-en")
    for pair in pairs:
        (made / "judged" / pair / "systems").mkdir(parents=True)
        for name in ("ref.txt", "src.txt", "columns.tsv", *(f"systems/{name}.txt" for name in SYSTEMS)):
            shutil.copy(made / Path(name).name, made / "judged" / pair / name)
    of_pairs = [f"{pair}\t{row}" for pair in pairs for row in judged]
    (made / "judged" / "human.tsv").write_text("\n".join([f"lp\t{header}", *of_pairs, ""]), encoding="utf-8")
    for name, systems in (("ab", SYSTEMS[:2]), ("a", SYSTEMS[:1]), ("b", SYSTEMS[1:2])):
        outputs = [f"{system}.txt" for system in systems]
        words = ["score", "-r", "ref.txt", "-i", *outputs, "-m", "bleu,chrf", "--columns", "columns.tsv"]
        assert run_command([*words, "--save", f"{name}.run"], made).code == 0
    return made


def write_spans(folder: Path) -> None:
    """Write error spans of two raters, and those of an automatic judge."""
    for file, raters in (("spans", ("r1", "r2")), ("judge", ("",))):
        rows = [
            {
                "system": system,
                "segment": i + 1,
                "score": i + k,
                **({"rater": rater} if rater else {}),
                "target": "a few words",
                "error_spans": [{"start": 0, "end": 1 + i % 3, "severity": ("minor", "major")[(i + k) % 2]}]
                * (i % 2),
            }
            for rater in raters
            for k, system in enumerate(SYSTEMS)
            for i in range(N_SEGMENTS)
        ]
        (folder / f"{file}.jsonl").write_text(
            "".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8"
        )


def write_mtme(root: Path) -> None:
    """Write a test set of mt-metrics-eval with two references, of which one was judged, and two kinds of scores."""
    texts = {f"system-outputs/he-en/{name}.txt": name for name in SYSTEMS}
    texts |= {
        "references/he-en.refA.txt": "ref",
        "references/he-en.refB.txt": "boreas",
        "sources/he-en.txt": "src",
    }
    for target, name in texts.items():
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root.parent / f"{name}.txt", root / target)
    documents = [f"{('news', 'chat')[i % 2]}\td{i // 3}" for i in range(N_SEGMENTS)]
    judged = (*SYSTEMS, "refA")
    written = {"documents/he-en.docs": documents}
    for kind, step in (("mqm", 7), ("da-sqm", 5)):
        scores = {name: [step * i % 13 + k for i in range(N_SEGMENTS)] for k, name in enumerate(judged)}
        written[f"human-scores/he-en.{kind}.seg.score"] = [
            f"{name}\t{score}" for name in judged for score in scores[name]
        ]
        written[f"human-scores/he-en.{kind}.sys.score"] = [
            f"{name}\t{sum(scores[name]) / N_SEGMENTS}" for name in judged
        ]
    for target, lines in written.items():
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        (root / target).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def values_of(option: CommandOption) -> list[list[str]]:
    """List values that change the result of a command that uses the option."""
    if option.is_flag:
        return [[]]
    if option.access in ("write", "update"):
        suffix = {"chart": ".svg", "items": ".tsv", "campaign": ".json", "output": ".json"}.get(
            option.name, ""
        )
        return [[f"out/made{suffix}"]]
    if option.access == "read":
        return [["nowhere.xyz"]]
    if option.choices:
        return [[str(choice)] for choice in option.choices if choice != option.default]
    return [[VALUES[option.name]]]


def run(words: list[str], folder: Path) -> tuple[Finished, dict[str, bytes]]:
    """Run a command with an empty folder `out`; return its end and the files that it wrote."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    (folder / "out").mkdir()
    ended = run_command(words, folder)
    return ended, {path.name: path.read_bytes() for path in (folder / "out").rglob("*") if path.is_file()}


def tried_options(name: str, words: list[str]) -> Iterator[CommandOption]:
    for option in LOADED[name].options.values():
        if option.flags and option.name not in EXEMPT and not set(option.flags) & set(words):
            yield option


@pytest.mark.parametrize(("name", "words"), CASES)
def test_no_option_is_ignored_without_a_word(
    name: str, words: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", str(folder / "cache"))
    form = ["-f", "json"] if "form" in LOADED[name].options else []
    expected = run([*name.split(), *words, *form], folder)
    assert expected[0].code in (0, 3), expected[0].stderr.decode()
    ignored = [
        option.name
        for option in tried_options(name, words)
        if all(
            run([*name.split(), *words, *form, option.flags[-1], *value], folder) == expected
            for value in values_of(option)
        )
    ]
    assert not ignored, ignored


def test_only_options_of_commands_are_listed() -> None:
    known = {name for loaded in LOADED.values() for name in loaded.options}
    assert known >= EXEMPT | VALUES.keys()
