"""Unusual but plausible commands: many valid options at once, results as inputs, damaged records, odd surroundings.

`hostile.commands` gives single options values that do not fit. Here every value fits its option; the combination, the
content of a file, the place or the project file is unusual.
"""

import csv
import io
import json
import os
import random
import resource
import shutil
import signal
import sys
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hostile.commands import BASES, LOADED
from hostile.forked import Finished, run_command, run_forked
from tertium.declarations import CommandOption

__all__ = ["Trial", "make_results", "run_trial", "trials"]

METRICS = [
    "bleu", "chrf", "ter", "wer", "per", "cer", "nist", "ribes", "sentbleu", "invwer", "character", "beer", "avgbleu", "wordf", "wil", "wip", "mer", "cder", "eed",
    "yisi0", "repetition", "chrf:word_order=2", "bleu:tokenizer=char", "wer:lowercase=true", "mix:0.5*bleu+0.5*chrf",
    "mix:1*ter+3*wer", "mix:0.2*chrf+0.8*ter", "std", "has", "red",
]  # fmt: skip
_TEXTS: dict[str, list[str]] = {
    "metrics": METRICS,
    "metric": METRICS,
    "where": ["domain=news", "id>3", "id<=0", "domain!=talk", "id=1", "domain=none"],
    "by": ["domain", "id"],
    "group": ["domain", "id"],
    "baseline": ["a", "b", "aurora"],
    "system": ["a", "b"],
    "option": ["beta=1,2", "word_order=0,1,2", "beta=1:3:1"],
    "language": ["en", "de", "zh", "de-en", "en-ja", "ar"],
    "tokenizer": ["13a", "char", "zh", "intl", "none", "words"],
    "columns": ["columns.tsv"],
    "subset": ["domain=news"],
}
_SUFFIXES = [
    ".json",
    ".csv",
    ".tsv",
    ".md",
    ".tex",
    ".xlsx",
    ".html",
    ".svg",
    ".png",
    ".txt",
    ".run",
    ".toml",
    ".jsonl",
    ".conllu",
    "",
]
_SLOW = {"vectors train", "tune", "meta"}
_LEFT_ALONE = {"scheduler", "workers", "engine", "epochs", "dimension", "trials", "threads"}


@dataclass(frozen=True)
class Trial:
    """A command, what is done to the child before it runs, and the files that are written for it."""

    words: list[str]
    surroundings: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)


def make_results(folder: Path) -> list[str]:
    """Run commands whose results are given to others; return their names."""
    scored = ["score", "-r", "ref.txt", "-i", "a.txt", "b.txt", "-m", "bleu,wer"]
    commands = {
        **{f"made/scores.{form}": [*scored, "-f", form] for form in ("json", "csv", "tsv", "md", "latex")},
        **{f"made/segments.{form}": [*scored, "--segments", "-f", form] for form in ("json", "csv", "jsonl")},
        "made/page.html": ["report", "ab.run", "--samples", "20"],
        "made/trees.conllu": ["parse", "ref.txt"],
        "made/v.vectors": ["vectors", "convert", "vectors.txt"],
        "made/p.paraphrases": ["paraphrases", "convert", "paraphrases.txt"],
        "made/doctor.json": ["doctor", "a.txt", "-r", "ref.txt", "-f", "json"],
        "made/human.json": ["human", "human.tsv", "--samples", "20", "-f", "json"],
        "made/chosen.csv": ["select", "a.txt", "b.txt", "-r", "ref.txt", "--segments", "3"],
        "made/mbr.json": ["mbr", "candidates.txt", "-k", "2", "-m", "chrf", "-f", "json"],
    }
    (folder / "made").mkdir()
    for name, words in commands.items():
        place = [name] if words[:2] == ["vectors", "convert"] else ["-o", name]
        run_command([*words, *place], folder)
    return [name for name in commands if (folder / name).is_file()]


def trials(rng: random.Random, results: Sequence[str]) -> Iterator[Trial]:
    """Yield trials of all kinds in turn, without end."""
    kinds: list[Callable[[random.Random, Sequence[str]], Trial]] = [
        _combine, _combine, _chain, _damage_records, _damage_records, _surround, _set_project, _link, _forge_run, _spoil_sets,
    ]  # fmt: skip
    while True:
        for kind in kinds:
            yield kind(rng, results)


def _combine(rng: random.Random, results: Sequence[str]) -> Trial:
    """Add two to six options with values that fit."""
    del results
    name = rng.choice([each for each in LOADED if each not in _SLOW or rng.random() < 0.15])
    words = list(rng.choice(BASES[name]))
    options = [
        option for option in LOADED[name].options.values() if option.flags and option.name not in _LEFT_ALONE
    ]
    for option in rng.sample(options, min(len(options), rng.randint(2, 6))):
        words += [rng.choice(option.flags), *([] if option.is_flag else [_fitting(rng, option)])]
    return Trial([*name.split(), *words])


def _fitting(rng: random.Random, option: CommandOption) -> str:
    """Return a value that fits an option, at a border of its range or inside."""
    if option.access in ("write", "update"):
        return f"out/{rng.randrange(6)}{rng.choice(_SUFFIXES)}"
    if option.access == "read":
        return rng.choice(_TEXTS.get(option.name, ["ref.txt", "a.txt", "src.txt", "ab.run", "columns.tsv", "human.tsv", "vectors.txt", "sets"]))  # fmt: skip
    if option.choices:
        return str(rng.choice(option.choices))
    if {int, float} & set(option.alternatives):
        low = option.opt.least if option.opt.least is not None else 0
        high = min(option.most or 50, 50)
        inside = [low, high, (low + high) / 2, low + 1, min(low + 2, high)]
        if float in option.alternatives:
            return f"{rng.choice([*inside, low + 1e-9, high - 1e-9]):g}"
        return str(int(rng.choice(inside)))
    return rng.choice(_TEXTS.get(option.name, [*METRICS, "a", "domain", "en"]))


def _chain(rng: random.Random, results: Sequence[str]) -> Trial:
    """Give the result of one command to another, in the place of a file."""
    name = rng.choice([each for each in LOADED if each not in _SLOW])
    words = list(rng.choice(BASES[name]))
    places = [i for i, word in enumerate(words) if "." in word and not word.startswith("out/")]
    if places and rng.random() < 0.7:
        words[rng.choice(places)] = rng.choice(results)
    else:
        readers = [
            option for option in LOADED[name].options.values() if option.access == "read" and option.flags
        ]
        if readers:
            words += [rng.choice(rng.choice(readers).flags), rng.choice(results)]
    return Trial([*name.split(), *words])


_RECORDS: dict[str, tuple[list[dict[str, Any]], list[list[str]]]] = {
    "judged": (
        [{"system": s, "seg_id": i, "score": 50 + i, "rater": r, "domain": "news"} for s in ("a", "b") for i in range(1, 13) for r in "xy"],
        [["human", "FILE", "--samples", "20"], ["meta", "-r", "ref.txt", "-i", "a.txt", "b.txt", "--human", "FILE", "-m", "wer", "--samples", "20"],
         ["human", "FILE", "--samples", "20", "-f", "json"]],
    ),
    "mqm": (
        [{"system": s, "doc": "d", "doc_id": i, "seg_id": i, "rater": "x", "source": "x", "target": "a <v>b</v> c", "category": "accuracy/omission", "severity": v}
         for s in ("a", "b") for i in range(1, 13) for v in ("major", "minor")],
        [["human", "FILE", "--samples", "20"], ["meta", "-r", "ref.txt", "-i", "a.txt", "b.txt", "--human", "FILE", "-m", "wer", "--samples", "20"]],
    ),
    "texts": (
        [{"ref": f"a b {i}", "hyp": f"a c {i}", "src": "x", "domain": ("n", "t")[i % 2], "id": i} for i in range(12)],
        [["score", "-r", "FILE#ref", "-i", "FILE#hyp", "-m", "bleu,wer", "-f", "json"], ["doctor", "FILE#hyp", "-r", "FILE#ref"],
         ["score", "-r", "ref.txt", "-i", "a.txt", "--columns", "FILE", "--by", "domain", "-m", "wer"],
         ["report", "FILE#hyp", "-r", "FILE#ref", "-m", "wer", "-o", "out/p.html"]],
    ),
    "scores": (
        [{"system": s, "segment": i, "score": i / 7} for s in ("a", "b") for i in range(1, 13)],
        [["score", "-r", "ref.txt", "-i", "a.txt", "b.txt", "-m", "wer", "--scores", "X=FILE", "-f", "json"],
         ["compare", "a.txt", "b.txt", "-r", "ref.txt", "-m", "wer", "--scores", "X=FILE"]],
    ),
    "candidates": ([{"candidates": ["a b", "a c", "b c"], "source": "x"}] * 4, [["mbr", "FILE", "-m", "chrf"], ["mbr", "FILE", "-m", "bleu,chrf", "-f", "json"]]),
    "esa": (
        [{"langs": "en-de", "line_id": i, "tgt": "ab cd", "esa_spans": [{"start_i": 0, "end_i": 2, "severity": "minor"}], "esa_score": 60 + i, "system": s, "annotator": "u"}
         for s in ("a", "b") for i in range(12)],
        [["human", "FILE", "--samples", "20"], ["human", "FILE", "-f", "json", "--samples", "20"]],
    ),
}  # fmt: skip
_ODD: list[Any] = [
    None, "", " ", True, -1, 0, 1e308, -1e308, 1e-320, 10**40, "NaN", "inf", "1,5", "1_000", "\u0661", "a\nb", "a\tb", "\u2028", "e\u0301", "\u00e9", "macro",
    "micro", "__proto__", "=1+1", "<b>", [], {}, [1], {"a": 1}, "x" * 3000, "a" * 60 + "\u202e", "-", "\ufeff", "\x00", "\ud83d",
]  # fmt: skip


def _damage_records(rng: random.Random, results: Sequence[str]) -> Trial:
    """Change a few records or fields of a table, and write it in one of the formats that readers accept."""
    del results
    records, commands = rng.choice(list(_RECORDS.values()))
    rows = [dict(row) for row in records]
    for _ in range(rng.randint(0, 3)):
        _damage(rng, rows)
    suffix, write = rng.choice(list(_WRITERS.items()))
    name = f"out/records{rng.randrange(4)}{suffix}"
    words = [word.replace("FILE", name) for word in rng.choice(commands)]
    return Trial(words, files={name: write(rows)})


def _damage(rng: random.Random, rows: list[dict[str, Any]]) -> None:
    """Change a value, a column or the number of rows."""
    if not rows:
        return
    row, odd = rng.choice(rows), rng.choice(_ODD)
    column = rng.choice(list(row) or [""])
    kind = rng.choice(
        ("value", "value", "value", "lack", "repeat", "end", "constant", "no column", "renamed", "extra")
    )
    if kind == "repeat":
        rows.insert(rng.randrange(len(rows)), dict(row))
    elif kind == "end":
        del rows[rng.randrange(len(rows)) :]
    for each in rows if kind in ("constant", "no column", "renamed") else [row]:
        _damage_row(each, kind, column, odd)


def _damage_row(row: dict[str, Any], kind: str, column: str, odd: object) -> None:
    if kind in ("value", "constant"):
        row[column] = odd
    elif kind in ("lack", "no column"):
        row.pop(column, None)
    elif kind == "renamed":
        row[f"{column} "] = row.pop(column, None)
    elif kind == "extra":
        row["extra"] = odd


def _write_jsonl(rows: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _write_table(rows: Sequence[Mapping[str, Any]], separator: str) -> bytes:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([row.get(name, "") for name in columns] for row in rows)
    return out.getvalue().encode(errors="surrogatepass")


def _write_xlsx(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Write a workbook with strings in the cells, and numbers where a value is one."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [dict(zip(columns, columns, strict=True)), *rows]
    sheet = "".join(f"<row>{''.join(_cell(row.get(name, '')) for name in columns)}</row>" for row in lines)
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets>'
        '<sheet name="s" sheetId="1" r:id="r1" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"<sheetData>{sheet}</sheetData></worksheet>",
    }  # fmt: skip
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text.encode(errors="replace"))
    return out.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"<c><v>{value}</v></c>"
    text = str(value).replace("&", "&amp;").replace("<", "&lt;")
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


_WRITERS: dict[str, Callable[[Sequence[Mapping[str, Any]]], bytes]] = {
    ".jsonl": _write_jsonl,
    ".json": lambda rows: json.dumps(rows).encode(),
    ".tsv": lambda rows: _write_table(rows, "\t"),
    ".csv": lambda rows: _write_table(rows, ","),
    ".xlsx": _write_xlsx,
}


def _pick(rng: random.Random) -> list[str]:
    name = rng.choice([each for each in LOADED if each not in _SLOW])
    return [*name.split(), *rng.choice(BASES[name])]


def _surround(rng: random.Random, results: Sequence[str]) -> Trial:
    del results
    return Trial(_pick(rng), surroundings=rng.choice(list(_SURROUNDINGS)))


_PROJECTS: list[str] = [
    "", "\ufeffmetrics = 'bleu'", "metrics = 3", "metrics = ['bleu', 3]", "metrics = 'beu'", "[score]\nmetrics = 'wer'\nci = 'yes'", "[score]\nci = true",
    "[score]\noutput = 'a.txt'", "output = 'ref.txt'", "[sccore]\nci = true", "[score]\nunknown = 1", "score = 1", "[score]\nsamples = 1e400",
    "[score]\nsamples = nan", "seed = -1", "seed = 99999999999999999999", "threads = 0", "format = 'json'", "[report]\noutput = '/dev/full'", "a = {b = {c = 1}}",
    "[score]\nreference = 'ref.txt'", "alpha = 0.0", "language = ''", "language = 'xx'", "[score]\nwhere = 'domain=news'", "by = 'domain'", "[[score]]\nci = true",
    "x = 1979-05-27T07:32:00Z", "metrics = 'bleu'\nmetrics = 'wer'", "[score.ci]\nx = 1", "'\u202e' = 1", "[gate]\nmetric = 'chrf'\nnot-worse = -1", "quiet = true",
]  # fmt: skip


def _set_project(rng: random.Random, results: Sequence[str]) -> Trial:
    del results
    name = rng.choice(["tertium.toml", "tertium.toml", "pyproject.toml"])
    text = rng.choice(_PROJECTS)
    if name == "pyproject.toml":
        text = f"[tool.tertium]\n{text}" if "[" not in text else text.replace("[", "[tool.tertium.", 1)
    return Trial(_pick(rng), files={name: text.encode()})


def _link(rng: random.Random, results: Sequence[str]) -> Trial:
    """Write to a name that leads to an input: a link of either kind, an open file, or a path through other folders."""
    del results
    words = _pick(rng)
    inputs = [
        word for word in words if word in ("ref.txt", "a.txt", "b.txt", "ab.run", "human.tsv", "vectors.txt")
    ]
    name = "vectors convert" if words[:2] == ["vectors", "convert"] else " ".join(words[: 1 + (words[0] in ("vectors", "paraphrases"))])  # fmt: skip
    writers = [
        option
        for option in LOADED[name].options.values()
        if option.access in ("write", "update") and option.flags
    ]
    if not inputs or not writers:
        return _combine(rng, ())
    target = rng.choice(inputs)
    shape = rng.choice(["hard", "soft", "through", "proc", "upper"])
    alias = {
        "hard": "out/hard", "soft": "out/soft", "through": f"folder/../{target}", "proc": f"/proc/self/cwd/{target}", "upper": f".//./{target}",
    }[shape]  # fmt: skip
    return Trial([*words, rng.choice(rng.choice(writers).flags), alias], surroundings=f"{shape} {target}")


_RUN_COMMANDS = [
    ["show", "FILE", "-f", "json"], ["show", "FILE", "-t", "segments", "-f", "csv"], ["report", "FILE", "-o", "out/p.html", "--samples", "20"], ["rerun", "FILE"],
    ["compare", "a", "b", "--run", "FILE"], ["segments", "FILE"], ["plan", "FILE", "-d", "1"], ["history", "b.run", "FILE"], ["gate", "FILE", "--against", "b.run"],
]  # fmt: skip


def _forge_run(rng: random.Random, results: Sequence[str]) -> Trial:
    """Give a run whose archive is unusual: members of another run, twice, renamed, missing, or with other contents."""
    del results
    words = [word.replace("FILE", "out/forged.run") for word in rng.choice(_RUN_COMMANDS)]
    return Trial(words, surroundings=f"forge {rng.randrange(10**6)}")


def _forge_archive(folder: Path, rng: random.Random) -> None:
    members: list[tuple[str, bytes]] = []
    for name in ("ab.run", "b.run"):
        with zipfile.ZipFile(folder / name) as archive:
            members.append((name, b""))
            members += [(each, archive.read(each)) for each in archive.namelist()]
    split = members.index(("b.run", b""))
    own, other = members[1:split], dict(members[split + 1 :])
    at = rng.randrange(len(own))
    name, content = own[at]
    kind = rng.choice(
        ("swap", "twice", "rename", "drop", "empty", "absolute", "cut", "compressed", "comment")
    )
    changed = {
        "swap": [(name, other.get(name, content))], "twice": [own[at], own[at]], "rename": [(f"x{name}", content)], "drop": [], "empty": [(name, b"")],
        "absolute": [(f"/etc/{name}", content)], "cut": [(name, content[: len(content) // 2])], "compressed": [own[at]], "comment": [own[at]],
    }[kind]  # fmt: skip
    method = zipfile.ZIP_BZIP2 if kind == "compressed" else zipfile.ZIP_STORED
    with zipfile.ZipFile(folder / "out/forged.run", "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that occur twice
        for each, data in [*own[:at], *changed, *own[at + 1 :]]:
            archive.writestr(each, data)
        archive.comment = b"x" * 60_000 if kind == "comment" else b""


_LAYOUTS: list[dict[str, str | None]] = [
    {"de-en/ref.txt": "a b\nc\n", "de-en/systems/a.txt": "a\nc\n"},
    {"de-en/ref.txt": "a b\nc\n", "de-en/systems/a.txt": "a\n"},
    {
        "de-en/ref.txt": "a b\n",
        "en-de/ref.txt": "x\n",
        "de-en/systems/a.txt": "a\n",
        "en-de/systems/b.txt": "x\n",
    },
    {"de-en/ref.txt": "", "de-en/systems/a.txt": ""},
    {"de-en/systems/a.txt": "a\n"},
    {"de-en/ref.txt": "a\n", "de-en/systems": None},
    {
        "e\u0301/ref.txt": "a\n",
        "\u00e9/ref.txt": "a\n",
        "e\u0301/systems/a.txt": "a\n",
        "\u00e9/systems/a.txt": "a\n",
    },
    {"a b/ref.txt": "a\n", "a b/systems/x=y.txt": "a\n", "a b/systems/-m.txt": "a\n"},
    {"de-en/ref.txt": "a\n", "de-en/ref2.txt": "a\nb\n", "de-en/systems/a.txt": "a\n"},
    {"de-en/ref.txt": "a\n", "de-en/src.txt": "x\ny\n", "de-en/systems/a.txt": "a\n"},
    {"de-en/systems/a.txt/b.txt": "a\n", "de-en/ref.txt": "a\n"},
    {},
]
_SET_COMMANDS = [["score", "out/layout"], ["score", "out/layout", "-f", "json"], ["report", "out/layout", "-o", "out/p.html"], ["meta", "out/layout"], ["doctor", "out/layout"], ["data", "out/layout"]]  # fmt: skip


def _spoil_sets(rng: random.Random, results: Sequence[str]) -> Trial:
    """Give a folder of test sets that lack files, have unequal lengths or names that look alike."""
    del results
    number = rng.randrange(len(_LAYOUTS))
    return Trial([*rng.choice(_SET_COMMANDS), "-m", "wer"], surroundings=f"layout {number}")


def _make_layout(folder: Path, layout: Mapping[str, str | None]) -> None:
    shutil.rmtree(folder / "out/layout", ignore_errors=True)
    (folder / "out/layout").mkdir()
    for name, text in layout.items():
        path = folder / "out/layout" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.mkdir()
        else:
            path.write_text(text, encoding="utf-8")


def _close(number: int) -> Callable[[], object]:
    return lambda: os.close(number)


def _set(**values: str) -> Callable[[], object]:
    return lambda: os.environ.update(values)


def _unset(*names: str) -> Callable[[], object]:
    return lambda: [os.environ.pop(name, None) for name in names]


def _leave_folder() -> None:
    Path("out/gone").mkdir()
    os.chdir("out/gone")
    Path("../gone").rmdir()


def _break_pipe() -> None:
    read, write = os.pipe()
    os.close(read)
    os.dup2(write, 1)


def _fill_output() -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


def _limit(kind: int, value: int) -> Callable[[], object]:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(kind, (value, value))

    return limit


def _recode() -> None:
    for name in ("stdout", "stderr"):
        getattr(sys, name).reconfigure(
            encoding="ascii", errors="strict" if name == "stdout" else "backslashreplace"
        )


def _give_fifo() -> None:
    """Feed a reference through a pipe on standard input."""
    read, write = os.pipe()
    os.write(write, b"a b c\n" * 12)
    os.close(write)
    os.dup2(read, 0)


_SURROUNDINGS: dict[str, Callable[[], object]] = {
    "no home": _unset("HOME", "XDG_CACHE_HOME", "TERTIUM_CACHE"),
    "C locale": _set(LANG="C", LC_ALL="C"),
    "narrow": _set(COLUMNS="1"),
    "zero columns": _set(COLUMNS="0"),
    "wide": _set(COLUMNS="100000"),
    "odd columns": _set(COLUMNS="x"),
    "no terminal": _set(TERM="dumb", NO_COLOR="1"),
    "forced colours": _set(FORCE_COLOR="1", TERM="xterm-256color"),
    "cache in a file": _set(TERTIUM_CACHE="a.txt"),
    "cache nowhere": _set(TERTIUM_CACHE="/proc/nowhere"),
    "cache empty": _set(TERTIUM_CACHE=""),
    "no temporary folder": _set(TMPDIR="/nowhere"),
    "no folder": _leave_folder,
    "broken pipe": _break_pipe,
    "full output": _fill_output,
    "few files": _limit(resource.RLIMIT_NOFILE, 12),
    "small files": _limit(resource.RLIMIT_FSIZE, 512),
    "ASCII": _recode,
    "closed input": _close(0),
    "closed output": _close(1),
    "fed by a pipe": _give_fifo,
    "umask": lambda: os.umask(0o777),
    "threads": _set(OMP_NUM_THREADS="x", TERTIUM_THREADS="x"),
}


def run_trial(trial: Trial, folder: Path, *, seconds: float) -> Finished:
    """Write the trial's files, run its command in its surroundings, and remove the files."""
    for name, content in trial.files.items():
        (folder / name).write_bytes(content)
    shape, _, target = trial.surroundings.partition(" ")
    link = folder / "out" / shape
    if shape == "hard" and target:
        link.unlink(missing_ok=True)
        link.hardlink_to(folder / target)
    elif shape == "soft" and target:
        link.unlink(missing_ok=True)
        link.symlink_to(folder / target)
    elif shape == "forge":
        _forge_archive(folder, random.Random(int(target)))
    elif shape == "layout":
        _make_layout(folder, _LAYOUTS[int(target)])

    def call() -> None:
        from tertium.cli.main import main  # noqa: PLC0415 - the child's, whatever the parent has loaded

        _SURROUNDINGS.get(trial.surroundings, lambda: None)()
        sys.argv = ["tertium", *trial.words]
        main()

    try:
        return run_forked(call, folder, seconds=seconds)
    finally:
        for name in trial.files:
            (folder / name).unlink(missing_ok=True)
