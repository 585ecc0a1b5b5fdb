"""Judged data from a folder or from files, their fingerprint, and score files for them."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np

from tertium.arguments import check_path, describe_value, list_items
from tertium.corpus import CorpusFiles, expand_paths
from tertium.corpus.judgments.annotated_texts import collect_texts
from tertium.corpus.judgments.folders import read_judged_folder
from tertium.corpus.judgments.formats import read_judgments
from tertium.corpus.judgments.mqm import Weights, read_weights
from tertium.corpus.judgments.mtme import MtmeChoice
from tertium.corpus.judgments.readers import JudgedTexts, Judgments, SegmentJudgments, without_systems
from tertium.corpus.judgments.score_files import Level, ScoreFile, render_score_file
from tertium.corpus.texts.formats import InputFormat
from tertium.errors import InputError, OptionError, argument
from tertium.metaeval.judged_sets import (
    ONLY_SYSTEM,
    HumanOptions,
    JudgedSet,
    leave_out_systems,
    match_judgments,
)
from tertium.metaeval.scoring import MetricScores, leave_out_unscored, textless_corpora
from tertium.records import record
from tertium.text.languages import source_of_pair
from tertium.values import Corpus, FloatArray


@record(kw_only=True)
class JudgedData:
    """Where outputs, references and judgments are, and how judgments become scores.

    Attributes
    ----------
    folder
        Contains LP/ref.txt, LP/systems/NAME.txt and tables of judgments next to them.
    references, hypotheses, source
        Files instead of a folder; a folder may have LP/src.txt.
    human
        Files of judgments, instead of those of the folder.
    mqm_weights
        A file of weights of MQM errors; Google's weights if None.
    pairs
        Language pairs to keep; all if empty.
    columns
        A file with further columns of the segments, if the data are files; a folder has LP/columns.tsv.
    choice
        The references, human scores and human translations to use of a folder of mt-metrics-eval.
    leave_out
        Systems to leave out.
    input_format
        The format of outputs and references in files, if their suffixes do not say it.
    """

    folder: str | None = None
    references: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    source: str | None = None
    human: tuple[str, ...] = ()
    mqm_weights: str | None = None
    pairs: tuple[str, ...] = ()
    columns: str | None = None
    choice: MtmeChoice = field(default_factory=MtmeChoice)
    leave_out: tuple[str, ...] = ()
    options: HumanOptions = field(default_factory=HumanOptions)
    input_format: InputFormat | None = None

    def __post_init__(self) -> None:
        for name in ("references", "hypotheses", "human", "pairs", "leave_out"):
            listed = enumerate(list_items(getattr(self, name), name))
            object.__setattr__(
                self, name, tuple(check_path(path, f"{name}[{number}]") for number, path in listed)
            )
        kinds = {"choice": MtmeChoice, "options": HumanOptions, "input_format": str | None}
        for name, kind in kinds.items():
            if not isinstance(value := getattr(self, name), kind):
                raise OptionError(f"{argument(name)} is of the wrong type: {describe_value(value)}")
        for name in ("folder", "source", "mqm_weights", "columns"):
            if (path := getattr(self, name)) is not None:
                object.__setattr__(self, name, check_path(path, name))
        self._check_places()

    def _check_places(self) -> None:
        """Raise on a folder beside files, and on options for the one kind of data that were given with the other."""
        for name in ("references", "hypotheses", "source", "columns", "input_format"):
            if getattr(self, name) and self.folder:
                text = f"{argument(name)} is for data in files, but {self.folder} is a folder with texts of its own"
                raise OptionError(f"{text}; give one of them").about(name)
        for name in ("columns", "input_format"):
            if getattr(self, name) and self.lacks_texts:
                raise OptionError(f"{argument(name)} requires {argument('hypotheses', 'FILE')}").about(name)
        chosen = {
            "refs": self.choice.references,
            "gold": self.choice.gold,
            "with_human": self.choice.with_human,
        }
        for name, value in chosen.items():
            if value and not self.folder:
                text = f"{argument(name)} is for a folder of mt-metrics-eval, but the data are files"
                raise OptionError(text).about(name)

    @property
    def sources(self) -> list[str]:
        """The folder or the files, as the user named them."""
        source = [] if self.source is None else [self.source]
        return [self.folder] if self.folder else [*self.references, *self.hypotheses, *source, *self.human]

    def read(self, *, scores: Sequence[ScoreFile] = ()) -> tuple[list[JudgedSet], list[str]]:
        """Read the judged sets; the notes list data that were left out.

        With files of scores no outputs are needed, only judgments.
        """
        corpora, judgments, notes = self.read_files(scores=scores)
        sets, more = match_judgments(corpora, judgments, self.options, pairs=self.pairs)
        sets = leave_out_systems(sets, self.leave_out) if self.leave_out else sets
        _check_pairs(self.pairs, sets, judgments, notes + more)
        return sets, notes + more

    def check_language(self, language: str | None) -> None:
        """Raise on a language pair for a folder: it would not choose the pair."""
        if language and self.folder and source_of_pair(language):
            text = f"{self.folder} names its language pairs; choose one with {argument('pairs', language)}"
            raise OptionError(f"{argument('language')} is for the target language: {text}").about("language")

    def read_files(
        self, *, scores: Sequence[ScoreFile] = ()
    ) -> tuple[Mapping[str, Corpus], list[Judgments], list[str]]:
        """Read the texts by language pair, and the judgments; the notes list data that were left out."""
        judgments = self.read_human()
        corpora: Mapping[str, Corpus]
        notes: list[str] = []
        if self.folder:
            folder = read_judged_folder(
                self.folder,
                pairs=self.pairs,
                weights=self._weights,
                choice=self.choice,
                reads_judgments=not self.human,
            )
            corpora, notes = folder.corpora, list(folder.notes)
            named = [without_systems(file, folder.unused) for file in judgments]
            judgments = named or list(folder.judgments)
            _check_fit(self.folder, corpora, named)
        elif self.lacks_texts and not scores and (annotated := contain_texts(judgments)):
            corpora, kept, notes = collect_texts(annotated)
            judgments = list(kept)
        else:
            if self.lacks_texts:
                judgments, notes = leave_out_unscored(judgments, scores)
            corpora = self._corpora_from_files(judgments, scores)
        return corpora, judgments, notes

    def read_human(self) -> list[Judgments]:
        """Read the files of judgments."""
        return [read_judgments(path, weights=self._weights) for path in expand_paths(self.human)]

    @property
    def _weights(self) -> Weights | None:
        return None if self.mqm_weights is None else read_weights(self.mqm_weights)

    def match_with(self, corpus: Corpus) -> tuple[JudgedSet, list[str]]:
        """Match the judgments with outputs that were read before; the notes list data that were left out.

        Raises
        ------
        InputError
            If there are no judgments of these outputs.
        """
        judgments = self.read_human()
        for file in judgments:
            if isinstance(file, JudgedTexts):
                raise InputError(
                    f"{file.path} contains its own texts instead of judgments of these outputs; use it with 'tertium meta'"
                )
        corpora = {self._only_pair(judgments): corpus}
        sets, notes = match_judgments(corpora, judgments, self.options, pairs=self.pairs)
        _check_pairs(self.pairs, sets, judgments, notes)
        return sets[0], notes

    @property
    def lacks_texts(self) -> bool:
        """Whether no outputs are given, so that only files of judgments can contain texts."""
        return not (self.folder or self.references or self.hypotheses or self.source)

    def _corpora_from_files(
        self, judgments: Sequence[Judgments], scores: Sequence[ScoreFile]
    ) -> Mapping[str, Corpus]:
        if not judgments:
            raise OptionError(f"give a folder, or human judgments with {argument('human', 'FILE')}")
        if self.hypotheses and (self.references or self.source):
            corpus = CorpusFiles(
                references=self.references,
                hypotheses=self.hypotheses,
                source=self.source,
                columns=self.columns,
                input_format=self.input_format,
            ).read()
            return {self._only_pair(judgments): corpus}
        if self.references or self.hypotheses or self.source:
            raise OptionError(
                f"give both {argument('references', 'FILE')} and {argument('hypotheses', 'FILE')}"
            )
        without_texts = [file for file in judgments if not isinstance(file, JudgedTexts)]
        if without_texts and not scores:
            raise OptionError(
                f"give the outputs with {argument('references', 'FILE')} and {argument('hypotheses', 'FILE')}, or, for"
                f" 'tertium meta', metric scores with {argument('scores', 'FILE')}"
            )
        return textless_corpora(without_texts, scores)

    def _only_pair(self, judgments: Sequence[Judgments]) -> str:
        named = {pair for file in judgments for pair in file.pairs if pair}
        if len(self.pairs) > 1 or (not self.pairs and len(named) > 1):
            raise OptionError(
                f"the judgments have several language pairs; choose one with {argument('pairs', 'LP')}"
            )
        return (list(self.pairs) or sorted(named) or [""])[0]


def _check_fit(folder: str, corpora: Mapping[str, Corpus], judgments: Sequence[Judgments]) -> None:
    """Raise if a file of judgments has no language pair of the folder."""
    for file in judgments:
        if not ({"", *corpora} & set(file.pairs) or isinstance(file, JudgedTexts)):
            raise InputError(
                f"{file.path} has judgments of {', '.join(sorted(set(file.pairs)))}, but {folder} has the texts of"
                f" {', '.join(sorted(corpora)) or 'no language pair'}"
            )


def contain_texts(judgments: Sequence[Judgments]) -> list[SegmentJudgments]:
    """Return the judgments if all of them contain the judged outputs, otherwise an empty list."""
    found = [file for file in judgments if isinstance(file, SegmentJudgments) and file.targets is not None]
    return found if len(found) == len(judgments) else []


def _check_pairs(
    pairs: Sequence[str], sets: Sequence[JudgedSet], judgments: Sequence[Judgments], notes: Sequence[str]
) -> None:
    """Raise if a requested language pair is missing or no data remain."""
    present = {judged.pair for judged in sets}
    for pair in pairs:
        if pair not in present:
            known = sorted({pair for file in judgments for pair in file.pairs} - {""})
            reasons = [note for note in notes if pair in note] or [
                f"there are judgments of {', '.join(known)}"
            ]
            raise InputError(f"{argument('pairs', pair)}: no judged outputs; {'; '.join(reasons)}")
    if not sets:
        raise InputError("; ".join(notes) or "there are no human judgments of any language pair")


def fingerprint(sets: Sequence[JudgedSet]) -> str:
    """Compute a checksum of 16 hexadecimal digits over the texts, systems and judgments."""
    digest = hashlib.sha256()
    for judged in sets:
        for part in (judged.pair, *_texts(judged.corpus)):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "little") + data)
        for array in _arrays(judged):
            digest.update(repr((array.dtype.str, array.shape)).encode() + array.tobytes())
    return digest.hexdigest()[:16]


def _texts(corpus: Corpus) -> Iterable[str]:
    if not corpus.has_references:
        yield from corpus.sources or ()
    for group in corpus.references:
        yield str(len(group))
        yield from group
    for name, outputs in corpus.systems.items():
        yield name
        yield from outputs


def _arrays(judged: JudgedSet) -> Iterable["np.ndarray[tuple[int, ...], np.dtype[np.generic]]"]:
    empty = np.zeros(0)
    yield empty if judged.system_scores is None else judged.system_scores
    yield empty if judged.segment_scores is None else judged.segment_scores
    if judged.comparisons is not None:
        yield from judged.comparisons


_LEVELS: tuple[tuple[Level, str], ...] = (("segment", "seg"), ("system", "sys"))


def render_score_files(
    sets: Sequence[JudgedSet],
    scored: Sequence[Mapping[str, MetricScores]],
    *,
    layout: str,
    test_set: str,
    file_name: Callable[[str], str],
) -> Iterator[tuple[str, str]]:
    """Render the scores of each metric for all language pairs, one file per level; yield file names and texts.

    `file_name` turns the label of a metric into a part of a file name.
    """
    for label in dict.fromkeys(label for by_label in scored for label in by_label):
        for level, short in _LEVELS:
            texts: dict[str, list[str]] = {}
            for judged, by_label in zip(sets, scored, strict=True):
                table = _scores_of(by_label.get(label), level)
                if table is None or judged.systems == (ONLY_SYSTEM,):
                    continue
                by_system = dict(zip(judged.systems, table.tolist(), strict=True))
                # mt-metrics-eval's rows do not name the language pair, which is the name of the folder
                folder = f"{file_name(judged.pair)}/" if layout == "mtme" and judged.pair else ""
                texts.setdefault(folder, []).append(
                    render_score_file(
                        file_name(label),
                        judged.pair,
                        by_system,
                        level=level,
                        layout=layout,
                        test_set=test_set,
                    )
                )
            for folder, parts in texts.items():
                yield f"{folder}{file_name(label)}.{short}.score", "".join(parts)


def _scores_of(scores: MetricScores | None, level: Level) -> FloatArray | None:
    if scores is None:
        return None
    if level == "segment":
        return scores.segment_scores
    return None if scores.system_scores is None else scores.system_scores[:, None]
