"""Files that name code: a program, a Python file, a checkpoint and a parser, each of which leaves a mark if it runs."""

import copy
import json
import sys
import types
import zipfile
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from hostile.commands import write_inputs
from hostile.forked import Finished, run_command
from tertium.files.archive import MANIFEST, write_archive

__all__ = ["CODE", "METRICS", "Unasked", "change_run", "change_texts", "fake_packages"]

PROGRAM, FILE, PARSER = "command:./evil.sh", "./evil.py:M", "./parser"
METRICS = [
    PROGRAM,
    "command:timeout=9,program=./evil.sh",
    FILE,
    f"bleu,{FILE}",
    f"nothing,{FILE}",
    "comet:./comet",
    "bleurt:./bleurt",
    "metricx:./metricx",
    f"bleu:tokenizer={PROGRAM}",
    f"mix:0.5*chrf+0.5*{PROGRAM}",
    f"mix:0.5*chrf+0.5*{FILE}",
    "Mix:0.5*chrf+0.5*comet:./comet",
    f"bleu|nrefs:1|case:mixed|tok:{PROGRAM}",
    f"{FILE}|nrefs:1",
    f"mix|nrefs:1|parts:bleu;tok:none&{FILE}|weights:0.5/0.5",
    f"mix|nrefs:1|parts:bleu;tok:{PROGRAM}&wer|weights:0.5/0.5",
    "mix@sum.toml",
    "bleu@words.toml",
]
"""Metrics that run code."""

CODE = {"metrics": METRICS, "tokenizers": [PROGRAM], "parsers": [PARSER], "clusters": ["tcp://127.0.0.1:9"]}
"""By the kind of an option, values that run code."""


def fake_packages(patch: pytest.MonkeyPatch) -> None:
    """Put packages that leave a mark in the place of those that load checkpoints and parsers."""

    def load(*_: object, **__: object) -> None:
        Path("MARK").touch()
        raise OSError("it ran")

    loader = types.SimpleNamespace(from_pretrained=load)
    contents: dict[str, dict[str, Any]] = {
        "spacy": {"load": load},
        "comet": {"load_from_checkpoint": load},
        "bleurt_pytorch": {"BleurtForSequenceClassification": loader, "BleurtTokenizer": loader},
        "torch": {"cuda": types.SimpleNamespace(is_available=bool)},
        "transformers": {"AutoTokenizer": loader, "MT5ForConditionalGeneration": loader},
    }
    for name, values in contents.items():
        module = types.ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
        vars(module).update(values)
        patch.setitem(sys.modules, name, module)


def write_code(folder: Path) -> None:
    """Write code of every kind, and presets that name some of it."""
    files = {
        "evil.sh": "#!/bin/sh\ntouch MARK\nwhile read line; do echo 1; done\n",
        "evil.py": "from pathlib import Path\nfrom tertium.metrics import WER\nPath('MARK').touch()\n\n\nclass M(WER):\n    pass\n",
        "comet/hparams.yaml": "class_identifier: referenceless_regression_metric\n",
        "comet/checkpoints/model.ckpt": "x",
        "bleurt/config.json": "{}",
        "bleurt/pytorch_model.bin": "x",
        "metricx/config.json": "{}",
        "metricx/pytorch_model.bin": "x",
        "metricx/spiece.model": "x",
        "parser/meta.json": '{"lang": "en", "name": "x", "version": "1"}',
        "sum.toml": f'metric = "mix"\n[options]\nparts = ["bleu", "{FILE}"]\nweights = [0.5, 0.5]\n',
        "words.toml": f'metric = "bleu"\n[options]\ntokenizer = "{PROGRAM}"\n',
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "evil.sh").chmod(0o755)


class Unasked:
    """A folder with the inputs of all commands, and with code that leaves a mark."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.mark = folder, folder / "MARK"
        write_inputs(folder)
        write_code(folder)
        (folder / ".git").mkdir()
        for name, systems in (("ab", ["a.txt", "b.txt"]), ("b", ["b.txt"])):
            words = ["score", "-r", "ref.txt", "-i", *systems, "-m", "bleu,hwcm,wer", "--save", f"{name}.run"]
            assert self.run(words).code == 0

    def run(self, words: Sequence[str]) -> Finished:
        """Run a command; the mark tells whether it ran code."""
        self.mark.unlink(missing_ok=True)
        return run_command(words, self.folder)

    def write(self, name: str, content: str | bytes) -> None:
        data = content.encode() if isinstance(content, str) else content
        (self.folder / name).write_bytes(data)


def change_texts(document: Any, values: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Yield copies of a document in each of which one text, or one empty value, is one of these; and name its place."""
    for path in _find_texts(document):
        for value in [PARSER] if "parser" in path else values:
            changed = copy.deepcopy(document)
            inner = changed
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = value
            yield f"{'.'.join(map(str, path))} {value}", changed


def _find_texts(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Find the places of texts and empty values; the first two entries stand for a list."""
    if isinstance(document, dict | list):
        pairs = document.items() if isinstance(document, dict) else enumerate(document[:2])
        for key, value in pairs:
            yield from _find_texts(value, (*path, key))
    elif (isinstance(document, str) or document is None) and "checksums" not in path:
        yield path


def change_run(path: Path, target: Path, values: Sequence[str]) -> Iterator[str]:
    """Write forged runs one after the other, each with one other text in its manifest; yield what was changed."""
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(members.pop(MANIFEST))
    for place, changed in change_texts(manifest, values):
        write_archive(str(target), changed, members)
        yield place
