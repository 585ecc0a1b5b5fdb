"""Reader of test sets in mt-metrics-eval's layout.

A set is a folder of `sources/LP.txt`, `references/LP.NAME.txt`, `documents/LP.docs`, `system-outputs/LP/NAME.txt`,
`human-scores/LP.KIND.LEVEL.score` and `metric-scores/LP/METRIC-REFERENCE.LEVEL.score`. Texts may be JSONL instead, with the
fields `source`, `target` and `hypothesis`; `metadata/LP/NAME.jsonl` has an object per output.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tertium.corpus.judgments.mtme_settings import TASK_PAIRS, OfficialSettings, find_settings
from tertium.corpus.judgments.readers import Judgments, SegmentJudgments, SystemJudgments, convert_scores
from tertium.corpus.judgments.score_files import LEVELS, Level, read_score_file, split_score_name
from tertium.corpus.texts.assembly import read_corpus
from tertium.corpus.texts.line_formats import read_jsonl
from tertium.errors import InputError, argument
from tertium.files.paths import is_file, is_folder, list_folder, show_path
from tertium.files.reading import read_lines
from tertium.records import record
from tertium.values import Corpus

_SCORE = ".score"
_TEXTS = (".txt", ".jsonl")
# Text files have this line in place of an output that a system did not deliver.
_NO_TRANSLATION = "[No translation supplied]"
# Kinds of human scores in order of preference: first those that the WMT metrics tasks used as gold standard.
_PREFERRED = ("mqm", "esa", "wmt-appraise-z", "wmt-z", "wmt-appraise", "wmt-raw", "wmt")


@record
class MtmeChoice:
    """The parts to use of a test set instead of the official settings.

    Attributes
    ----------
    references
        Names of references; if empty, the official one.
    gold
        The kind of human scores, such as `mqm` or `da-sqm`; None for the official one.
    with_human
        Whether human translations that are not used as references are scored like systems.
    """

    references: tuple[str, ...] = ()
    gold: str | None = None
    with_human: bool = False


@record
class MtmePair:
    """The files of one language pair."""

    pair: str
    references: Mapping[str, Path]
    outputs: Mapping[str, Path]
    """Outputs of systems, without references that were judged like systems."""
    human: Mapping[tuple[str, str], Path]
    """Files of human scores, by kind (`mqm`) and level (`seg`, `sys`)."""
    source: Path | None
    documents: Path | None
    metadata: Mapping[str, Path]
    """Properties of outputs, by system."""
    official: OfficialSettings | None = None
    choice: MtmeChoice = MtmeChoice()

    @property
    def used_references(self) -> tuple[str, ...]:
        """The names of the references to use: the chosen ones, the official one, or the first one by name.

        Some language pairs of WMT25 have no reference.
        """
        if self.choice.references:
            return self.choice.references
        if self.official is not None and self.official.reference in self.references:
            return (self.official.reference,)
        return tuple(self.references)[:1]

    @property
    def reference(self) -> str:
        """The name of the first reference, as in the names of score files; `src` without a reference."""
        return next(iter(self.used_references), "src")

    @property
    def systems(self) -> Mapping[str, Path]:
        """The systems to score, with human translations if they are requested, and without the official outliers."""
        others = {name: path for name, path in self.references.items() if name not in self.used_references}
        found = {**self.outputs, **(others if self.choice.with_human else {})}
        return {name: path for name, path in found.items() if name not in self.outliers}

    @property
    def outliers(self) -> frozenset[str]:
        return frozenset() if self.official is None else self.official.outliers

    def gold(self, level: str) -> str | None:
        """Return the kind of human scores to use on a level, `seg` or `sys`; None if there are none."""
        kinds = [kind for kind, of_level in self.human if of_level == level]
        if self.choice.gold is not None:
            return self.choice.gold if self.choice.gold in kinds else None
        official = None if self.official is None else self.official.gold.get(level)
        if official in kinds:
            return official
        return min(kinds, key=lambda kind: (_rank(kind), kind), default=None)


def is_mtme_folder(path: Path) -> bool:
    """Whether a folder is a test set of mt-metrics-eval."""
    return all(is_folder(path / name) for name in ("system-outputs", "references", "human-scores"))


def list_mtme_pairs(root: Path, choice: MtmeChoice | None = None) -> list[MtmePair]:
    """List the language pairs of a test set that have outputs, and references or a source, with their files.

    Raises
    ------
    InputError
        If a chosen reference does not exist for any language pair.
    """
    folders = [path for path in list_folder(root / "system-outputs") if is_folder(path)]
    found = [_find_files(root, folder) for folder in folders]
    pairs = [files for files in found if files.outputs and (files.references or files.source)]
    if choice is None:
        return pairs
    usable = [pair for pair in pairs if set(choice.references) <= set(pair.references)]
    if pairs and not usable:
        known = sorted({name for pair in pairs for name in pair.references})
        raise InputError(
            f"{argument('refs', ','.join(choice.references))}: {show_path(root)} has the references {_join(known)}"
        )
    return [replace(files, choice=choice) for files in usable]


def read_mtme(
    root: Path,
    pairs: Collection[str] = (),
    choice: MtmeChoice | None = None,
    *,
    reads_judgments: bool = True,
) -> tuple[dict[str, Corpus], list[Judgments], list[str]]:
    """Read the outputs and human scores of all language pairs, or of `pairs`, with notes on data left out.

    If judgments are not read, language pairs and human translations without judgments are kept.
    """
    corpora: dict[str, Corpus] = {}
    judgments: list[Judgments] = []
    notes: list[str] = []
    for pair in list_mtme_pairs(root, choice or MtmeChoice()):
        if pairs and pair.pair not in pairs:
            continue
        if not reads_judgments:
            corpora[pair.pair] = _read_texts(pair, frozenset(), notes)
            notes += _describe_references(pair)
            continue
        if not (pair.gold("seg") or pair.gold("sys")):
            chosen = f" {pair.choice.gold}" if pair.choice.gold else ""
            notes.append(f"{pair.pair} has no human judgments{chosen}, so it is left out")
            continue
        human = [_read_human(pair, level, kind) for level in ("seg", "sys") if (kind := pair.gold(level))]
        unjudged = pair.systems.keys() & pair.references.keys() - {
            name for file in human for name in file.systems
        }
        corpora[pair.pair] = _read_texts(pair, unjudged, notes)
        judgments += human
        notes += [*_describe_references(pair), *_describe_choice(pair)]
    return corpora, judgments, notes


def list_task_pairs(root: Path) -> tuple[str, ...]:
    """List the language pairs of a test set that its metrics task used; empty if it used all that have human scores."""
    judged = {pair.pair for pair in list_mtme_pairs(root) if pair.human}
    used = tuple(pair for pair in TASK_PAIRS.get(root.name, ()) if pair in judged)
    return used if len(used) < len(judged) else ()


def list_metrics(
    root: Path, pairs: Collection[str], choice: MtmeChoice, *, official: bool = False
) -> list[str]:
    """List the metrics whose scores are in a test set, or only those that took part in the task officially, by name."""
    names: dict[str, None] = {}
    for pair in list_mtme_pairs(root, choice):
        folder = root / "metric-scores" / pair.pair
        if (pairs and pair.pair not in pairs) or not is_folder(folder):
            continue
        wanted = pair.official.metrics if official and pair.official is not None else frozenset()
        for file in list_folder(folder):
            name, _, reference = split_score_name(file.name)[0].rpartition("-")
            if reference in (pair.reference, "src") and (not wanted or name in wanted):
                names[name] = None
    return list(names)


def name_in_task(label: str) -> str:
    """Name a metric as the tables of the tasks do, by the name of its files.

    >>> name_in_task("BLEU-refB"), name_in_task("GEMBA-MQM-src")
    ('BLEU', 'GEMBA-MQM[noref]')
    """
    name, _, reference = label.rpartition("-")
    if not name:
        return label
    return f"{name}[noref]" if reference == "src" else name


def name_metric(label: str, reference: str) -> str:
    """Name a metric without the reference, if it is the one in use: it differs between language pairs.

    >>> name_metric("COMET-refB", "refB"), name_metric("COMET-refA", "refB"), name_metric("CometKiwi-src", "refB")
    ('COMET', 'COMET-refA', 'CometKiwi-src')
    """
    return label.removesuffix(f"-{reference}") if reference != "src" else label


def find_metric_scores(
    root: Path,
    name: str,
    pairs: Collection[str] = (),
    choice: MtmeChoice | None = None,
    *,
    levels: Collection[Level] = ("segment", "system"),
) -> list[str]:
    """Find the score files of a metric: `BLEU-refA`, or `BLEU` with the reference in use or without one."""
    found = []
    shorts = [short for short, level in LEVELS.items() if level in levels]
    for pair in list_mtme_pairs(root, choice or MtmeChoice()):
        folder = root / "metric-scores" / pair.pair
        if (pairs and pair.pair not in pairs) or not is_folder(folder):
            continue
        for variant in (name, f"{name}-{pair.reference}", f"{name}-src", f"{name}-all"):
            files = [folder / f"{variant}.{short}{_SCORE}" for short in shorts]
            if existing := [str(file) for file in files if is_file(file)]:
                found += existing
                break
    return found


def _rank(kind: str) -> int:
    return _PREFERRED.index(kind) if kind in _PREFERRED else len(_PREFERRED)


def _find_files(root: Path, folder: Path) -> MtmePair:
    pair = folder.name
    references = {path.name.split(".")[1]: path for path in _named(root / "references", pair, *_TEXTS)}
    outputs = [path for path in list_folder(folder) if path.suffix in _TEXTS]
    human = {}
    for file in _named(root / "human-scores", pair, _SCORE):
        kind, _, level = file.name.removeprefix(f"{pair}.").removesuffix(_SCORE).rpartition(".")
        if level in ("seg", "sys"):
            human[kind, level] = file
    sources = [path for suffix in _TEXTS if is_file(path := root / "sources" / f"{pair}{suffix}")]
    documents, metadata = root / "documents" / f"{pair}.docs", root / "metadata" / pair
    return MtmePair(
        pair,
        references,
        {output.stem: output for output in outputs if output.stem not in references},
        human,
        sources[0] if sources else None,
        documents if is_file(documents) else None,
        {path.stem: path for path in list_folder(metadata)} if is_folder(metadata) else {},
        find_settings(root.name, pair),
    )


def _named(folder: Path, pair: str, *suffixes: str) -> list[Path]:
    paths = list_folder(folder) if is_folder(folder) else []
    return [path for path in paths if path.name.startswith(f"{pair}.") and path.suffix in suffixes]


def _address(path: Path, field: str) -> str:
    """Return the address of a text: a text file, or a field of JSONL."""
    return f"{path}#{field}" if path.suffix == ".jsonl" else str(path)


def _read_texts(files: MtmePair, unjudged: Collection[str], notes: list[str]) -> Corpus:
    """Read the texts of a pair, without the human translations that have no judgments."""
    references = set(files.references)  # judged human translations may be read from the references' folder
    corpus = read_corpus(
        [_address(files.references[name], "target") for name in files.used_references],
        [
            (name, _address(path, "target" if name in references else "hypothesis"))
            for name, path in files.systems.items()
            if name not in unjudged
        ],
        None if files.source is None else _address(files.source, "source"),
    )
    corpus = replace(
        corpus,
        systems={name: _fill(files.pair, name, texts, notes) for name, texts in corpus.systems.items()},
    )
    notes += [
        f"{files.pair}: {name} is left out: this human translation has no judgments"
        for name in sorted(unjudged)
    ]
    corpus = replace(corpus, columns={**_shared_metadata(files, len(corpus)), **corpus.columns})
    return corpus if files.documents is None else _with_documents(corpus, files.documents)


def _fill(pair: str, system: str, texts: Sequence[str], notes: list[str]) -> Sequence[str]:
    """Make missing outputs empty, and add a note that counts them."""
    missing = sum(text == _NO_TRANSLATION for text in texts)
    if not missing:
        return texts
    notes.append(f"{pair}: {system} has no output for {missing:,} segments, which are scored as empty")
    return ["" if text == _NO_TRANSLATION else text for text in texts]


def _shared_metadata(files: MtmePair, n_segments: int) -> dict[str, list[str]]:
    """Read the properties that all outputs of a segment share, without properties of single outputs."""
    tables = [read_jsonl(str(path)) for name, path in files.metadata.items() if name in files.systems]
    for table in tables:
        if len(table) != n_segments:
            raise InputError(
                f"{table.path} has {len(table):,} lines, but {files.pair} has {n_segments:,} segments"
            )
    names = set.intersection(*(set(table.names) for table in tables)) if tables else set()
    shared = {}
    for name in sorted(names):
        columns = [[str(value) for value in table.values(name)] for table in tables]
        if all(column == columns[0] for column in columns):
            shared[name] = columns[0]
    return shared


def _with_documents(corpus: Corpus, path: Path) -> Corpus:
    rows = [line.split(maxsplit=1) for line in read_lines(str(path))]
    for number, row in enumerate(rows, start=1):
        if len(row) != 2:
            raise InputError(f"{show_path(path)}: line {number:,} is not DOMAIN DOCUMENT")
    if len(rows) != len(corpus):
        raise InputError(f"{show_path(path)} has {len(rows):,} lines, but there are {len(corpus):,} segments")
    domains = {"domain": [domain for domain, _ in rows]}
    return replace(corpus, document_ids=[name for _, name in rows], columns={**corpus.columns, **domains})


def _read_human(files: MtmePair, level: str, kind: str) -> SystemJudgments | SegmentJudgments:
    """Read the human scores of the systems, without those of references."""
    file = read_score_file(str(files.human[kind, level]), layout="mtme")
    return convert_scores(replace(file, pairs=[files.pair] * len(file.lines)), files.systems)


def _describe_references(files: MtmePair) -> list[str]:
    """Describe which of several references is used."""
    notes = (
        []
        if files.references
        else [f"{files.pair} has no reference, so metrics that need one have no scores of it"]
    )
    others = [name for name in files.references if name not in files.used_references]
    if others:
        official = " (official)" if not files.choice.references and files.official is not None else ""
        notes.append(
            f"{files.pair}: the reference is {_join(files.used_references)}{official}; also available: {_join(others)}"
        )
    return notes


def _describe_choice(files: MtmePair) -> list[str]:
    """Describe which of several kinds of human scores is used, and which systems are left out."""
    notes = []
    if left_out := sorted(files.outliers & set(files.outputs)):
        notes.append(f"{files.pair}: {_join(left_out)} left out as an outlier, as in the metrics task")
    chosen = {kind for level in ("seg", "sys") if (kind := files.gold(level))}
    rest = sorted({kind for kind, _ in files.human} - chosen)
    if rest:
        notes.append(
            f"{files.pair}: the human scores are {_join(sorted(chosen))}; also available: {_join(rest)}"
        )
    return notes


def _join(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
