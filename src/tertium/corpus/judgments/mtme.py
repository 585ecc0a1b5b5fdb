"""Reader of test sets in mt-metrics-eval's layout.

A set is a folder of `sources/LP.txt`, `references/LP.NAME.txt`, `documents/LP.docs`, `system-outputs/LP/NAME.txt`,
`human-scores/LP.KIND.LEVEL.score` and `metric-scores/LP/METRIC-REFERENCE.LEVEL.score`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tertium.corpus.judgments.readers import Judgments, convert_scores
from tertium.corpus.judgments.score_files import read_score_file
from tertium.corpus.texts.assembly import read_corpus
from tertium.errors import InputError
from tertium.files.paths import is_file, is_folder, list_folder, show_path
from tertium.files.reading import read_lines
from tertium.records import record
from tertium.types import Corpus

_TEXT, _SCORE = ".txt", ".score"
# Kinds of human scores in order of preference: first those that the WMT metrics tasks used as gold standard.
_PREFERRED = ("mqm", "esa", "wmt-appraise-z", "wmt-z", "wmt-appraise", "wmt-raw", "wmt")


@record
class MtmePair:
    """The files of one language pair."""

    pair: str
    references: Mapping[str, Path]
    systems: Mapping[str, Path]
    """Outputs of systems, without references that were judged like systems."""
    human: Mapping[tuple[str, str], Path]
    """Files of human scores, by kind (`mqm`) and level (`seg`, `sys`)."""
    source: Path | None
    documents: Path | None

    @property
    def reference(self) -> str:
        """The name of the reference to use: the first one by name."""
        return next(iter(self.references))

    def gold(self, level: str) -> str | None:
        """Return the kind of human scores to use on a level, `seg` or `sys`; None if there are none."""
        kinds = [kind for kind, of_level in self.human if of_level == level]
        return min(kinds, key=lambda kind: (_rank(kind), kind), default=None)


def is_mtme_folder(path: Path) -> bool:
    """Whether a folder is a test set of mt-metrics-eval."""
    return all(is_folder(path / name) for name in ("system-outputs", "references", "human-scores"))


def list_mtme_pairs(root: Path) -> list[MtmePair]:
    """List the language pairs of a test set that have references and outputs, with their files."""
    folders = [each for each in list_folder(root / "system-outputs") if is_folder(each)]
    pairs = [_find_files(root, folder) for folder in folders]
    return [each for each in pairs if each.references and each.systems]


def read_mtme(
    root: Path, pairs: Collection[str] = ()
) -> tuple[dict[str, Corpus], list[Judgments], list[str]]:
    """Read the outputs and human scores of all language pairs, or of `pairs`, with notes on data left out."""
    corpora: dict[str, Corpus] = {}
    judgments: list[Judgments] = []
    notes: list[str] = []
    for each in list_mtme_pairs(root):
        if pairs and each.pair not in pairs:
            continue
        if not each.human:
            notes.append(f"{each.pair} has no human judgments, so it is left out")
            continue
        corpora[each.pair] = _read_texts(each)
        judgments += [
            _read_human(each, level, kind) for level in ("seg", "sys") if (kind := each.gold(level))
        ]
        notes += _describe_choice(each)
    return corpora, judgments, notes


def find_metric_scores(root: Path, name: str, pairs: Collection[str] = ()) -> list[str]:
    """Find the score files of a metric: `BLEU-refA`, or `BLEU` with the reference in use or without one."""
    found = []
    for each in list_mtme_pairs(root):
        folder = root / "metric-scores" / each.pair
        if (pairs and each.pair not in pairs) or not is_folder(folder):
            continue
        for variant in (name, f"{name}-{each.reference}", f"{name}-src", f"{name}-all"):
            files = [folder / f"{variant}.{level}{_SCORE}" for level in ("seg", "sys")]
            if existing := [str(file) for file in files if is_file(file)]:
                found += existing
                break
    return found


def _rank(kind: str) -> int:
    return _PREFERRED.index(kind) if kind in _PREFERRED else len(_PREFERRED)


def _find_files(root: Path, folder: Path) -> MtmePair:
    pair = folder.name
    references = {each.name.split(".")[1]: each for each in _named(root / "references", pair, _TEXT)}
    outputs = [each for each in list_folder(folder) if each.suffix == _TEXT]
    human = {}
    for file in _named(root / "human-scores", pair, _SCORE):
        kind, _, level = file.name.removeprefix(f"{pair}.").removesuffix(_SCORE).rpartition(".")
        if level in ("seg", "sys"):
            human[kind, level] = file
    source, documents = root / "sources" / f"{pair}{_TEXT}", root / "documents" / f"{pair}.docs"
    return MtmePair(
        pair,
        references,
        {each.stem: each for each in outputs if each.stem not in references},
        human,
        source if is_file(source) else None,
        documents if is_file(documents) else None,
    )


def _named(folder: Path, pair: str, suffix: str) -> list[Path]:
    paths = list_folder(folder) if is_folder(folder) else []
    return [each for each in paths if each.name.startswith(f"{pair}.") and each.suffix == suffix]


def _read_texts(each: MtmePair) -> Corpus:
    corpus = read_corpus(
        [str(each.references[each.reference])],
        [(name, str(path)) for name, path in each.systems.items()],
        None if each.source is None else str(each.source),
    )
    if each.documents is None:
        return corpus
    rows = [line.split(maxsplit=1) for line in read_lines(str(each.documents))]
    for number, row in enumerate(rows, start=1):
        if len(row) != 2:
            raise InputError(f"{show_path(each.documents)}: line {number:,} is not DOMAIN DOCUMENT")
    return replace(
        corpus, document_ids=[name for _, name in rows], columns={"domain": [domain for domain, _ in rows]}
    )


def _read_human(each: MtmePair, level: str, kind: str) -> Judgments:
    """Read the human scores of the systems; those of references are skipped."""
    file = read_score_file(str(each.human[kind, level]), layout="mtme")
    return convert_scores(replace(file, pairs=[each.pair] * len(file.lines)), each.systems)


def _describe_choice(each: MtmePair) -> list[str]:
    """Describe which of several references and kinds of human scores are used."""
    notes = []
    others = [name for name in each.references if name != each.reference]
    if others:
        notes.append(f"{each.pair}: the reference is {each.reference}; also available: {_join(others)}")
    chosen = {kind for level in ("seg", "sys") if (kind := each.gold(level))}
    rest = sorted({kind for kind, _ in each.human} - chosen)
    if rest:
        notes.append(
            f"{each.pair}: the human scores are {_join(sorted(chosen))}; also available: {_join(rest)}"
        )
    return notes


def _join(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
