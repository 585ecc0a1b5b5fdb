"""Reader of folders with outputs, references and judgments, in a common layout of WMT data.

A language pair has a folder with `ref.txt` (or several `ref*.txt`), `systems/NAME.txt`, and optionally `src.txt` and
`columns.tsv` with properties of each segment. Tables of judgments are next to these folders.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from tertium.corpus.judgments.formats import read_judgments
from tertium.corpus.judgments.mqm import Weights
from tertium.corpus.judgments.mtme import MtmeChoice, is_mtme_folder, list_mtme_pairs, read_mtme
from tertium.corpus.judgments.readers import JudgedTexts, Judgments
from tertium.corpus.test_sets import COLUMN_FILES, find_judged_folder
from tertium.corpus.texts.assembly import read_corpus
from tertium.errors import InputError, OptionError, argument
from tertium.files.paths import (
    Address,
    default_name,
    format_name,
    format_suffix,
    is_folder,
    list_folder,
    show_path,
)
from tertium.records import record
from tertium.values import Corpus

_TABLES = (".tsv", ".jsonl")
_TEXT = ".txt"


@record(eq=False)
class JudgedFolder:
    """The corpora by language pair, the judgments, and notes on data that were left out."""

    corpora: Mapping[str, Corpus]
    judgments: Sequence[Judgments]
    notes: Sequence[str]
    unused: frozenset[str] = frozenset()
    """Names in mt-metrics-eval's files of human scores that are not read as systems: references and outliers."""


def read_judged_folder(
    path: str,
    *,
    pairs: Collection[str] = (),
    weights: Weights | None = None,
    choice: MtmeChoice | None = None,
    reads_judgments: bool = True,
) -> JudgedFolder:
    """Read a folder of judged data, or only the language pairs `pairs`.

    Parameters
    ----------
    weights
        Weights of MQM errors.
    choice
        The parts to use of a folder of mt-metrics-eval.
    reads_judgments
        Whether to read the judgments, too; otherwise only the texts are read.

    Raises
    ------
    InputError
        If there is no language pair with references and outputs, or there are no judgments.
    """
    root = find_judged_folder(path)
    if not is_folder(root):
        raise InputError(
            f"{path} is not a folder; give one with LP/ref.txt and LP/systems/*.txt, or a test set of mt-metrics-eval"
            " ('tertium data' lists the installed ones)"
        )
    if is_mtme_folder(root):
        return _read_mtme_folder(root, pairs, choice, reads_judgments=reads_judgments)
    if choice is not None and choice != MtmeChoice():
        raise OptionError(
            f"{argument('refs')}, {argument('gold')} and {argument('with_human')} apply to folders of mt-metrics-eval, and"
            f" {show_path(root)} is not one"
        )
    corpora, notes = {}, []
    for folder in sorted(folder for folder in list_folder(root) if is_folder(folder / "systems")):
        if pairs and folder.name not in pairs:
            continue
        if not _texts_in(folder, "ref"):
            notes.append(f"{show_path(folder)} has no ref.txt, so {show_path(folder.name)} is left out")
            continue
        corpora[format_name(folder.name)] = _read_pair(folder)
    judgments = _read_tables(path, root, weights) if reads_judgments else []
    has_texts = any(isinstance(file, JudgedTexts) for file in judgments)
    if not (corpora or notes or pairs or has_texts):
        raise InputError(f"{path} has no language pair: it needs LP/ref.txt and LP/systems/*.txt for each LP")
    return JudgedFolder(corpora, judgments, notes)


def _read_tables(path: str, root: Path, weights: Weights | None) -> list[Judgments]:
    """Read the tables of judgments next to the folders of language pairs."""
    # `system-scores.tsv` comes before `system-scores-rr.tsv`: if two files judge the same, the first is used
    in_order = sorted(list_folder(root), key=lambda path: path.name.split("."))
    tables = [str(path) for path in in_order if format_suffix(path.name) in _TABLES]
    if not tables:
        if sets := [show_path(path) for path in list_folder(root) if is_mtme_folder(path)]:
            raise InputError(f"{show_path(root)} holds several test sets: give one of {', '.join(sets)}")
        raise InputError(f"{path} has no judgments: there is no {' or '.join(_TABLES)} file (also .gz, .xz)")
    return [read_judgments(table, weights=weights) for table in tables]


def _read_mtme_folder(
    root: Path, pairs: Collection[str], choice: MtmeChoice | None, *, reads_judgments: bool
) -> JudgedFolder:
    corpora, judgments, notes = read_mtme(root, pairs, choice, reads_judgments=reads_judgments)
    is_empty = not (judgments if reads_judgments else corpora)
    if is_empty and choice is not None and choice.gold is not None:
        kinds = sorted({kind for pair in list_mtme_pairs(root) for kind, _ in pair.human})
        raise InputError(
            f"{argument('gold', choice.gold)}: {show_path(root)} has the human scores {', '.join(kinds) or 'none'}"
        )
    if is_empty:
        raise InputError(f"{show_path(root)} has no judgments of {', '.join(pairs) or 'any language pair'}")
    listed = list_mtme_pairs(root, choice or MtmeChoice())
    named = {name for files in listed for name in (*files.references, *files.outputs)}
    return JudgedFolder(
        corpora, judgments, notes, frozenset(named - {s for files in listed for s in files.systems})
    )


def _read_pair(folder: Path) -> Corpus:
    outputs = _texts_in(folder / "systems", "")
    if not outputs:
        raise InputError(f"{show_path(folder)}/systems has no .txt file")
    sources = _texts_in(folder, "src")
    return read_corpus(
        [str(file) for file in _texts_in(folder, "ref")],
        [(default_name(Address(output.name)), str(output)) for output in outputs],
        str(sources[0]) if sources else None,
        columns=next((str(file) for file in list_folder(folder) if file.name in COLUMN_FILES), None),
    )


def _texts_in(folder: Path, prefix: str) -> list[Path]:
    paths = list_folder(folder)
    return [path for path in paths if path.name.startswith(prefix) and format_suffix(path.name) == _TEXT]
