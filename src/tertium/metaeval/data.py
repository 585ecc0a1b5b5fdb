"""Judged data from a folder or from files, their fingerprint, and score files written for them."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tertium.corpus import CorpusFiles, expand_paths
from tertium.corpus.judgments.folders import read_judged_folder, read_judgments
from tertium.corpus.judgments.readers import JudgedTexts, Judgments
from tertium.corpus.judgments.score_files import Level, ScoreFile, render_score_file
from tertium.errors import InputError, OptionError
from tertium.metaeval.judged_sets import ONLY_SYSTEM, HumanOptions, JudgedSet, align_judgments
from tertium.metaeval.scoring import MetricScores, textless_corpora
from tertium.types import Corpus, FloatArray


@dataclass(frozen=True, kw_only=True)
class JudgedData:
    """Where outputs, references and judgments are, and how judgments become scores.

    Attributes
    ----------
    folder
        Holds LP/ref.txt, LP/systems/NAME.txt and, beside them, tables of judgments.
    references, hypotheses
        Files instead of a folder.
    human
        Files of judgments.
    pairs
        Language pairs to keep; all if there are none.
    columns
        A file that says more about each segment, beside files; a folder has LP/columns.tsv.
    """

    folder: str | None = None
    references: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    human: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    columns: str | None = None
    options: HumanOptions = field(default_factory=HumanOptions)

    @property
    def sources(self) -> list[str]:
        """The folder or the files, as they were named."""
        return [self.folder] if self.folder else [*self.references, *self.hypotheses, *self.human]

    def read(self, *, scores: Sequence[ScoreFile] = ()) -> tuple[list[JudgedSet], list[str]]:
        """Read everything; the notes say what was left out.

        With files of scores, judgments alone will do: nobody needs the outputs.
        """
        corpora, judgments, notes = self.read_files(scores=scores)
        sets, more = align_judgments(corpora, judgments, self.options, pairs=self.pairs)
        _check_pairs(self.pairs, sets, judgments, notes + more)
        return sets, notes + more

    def read_files(
        self, *, scores: Sequence[ScoreFile] = ()
    ) -> tuple[Mapping[str, Corpus], list[Judgments], list[str]]:
        """Read texts by language pair and judgments, as they are; the notes say what was left out."""
        judgments = [read_judgments(path) for path in expand_paths(self.human)]
        corpora: Mapping[str, Corpus]
        notes: list[str] = []
        if self.folder:
            folder = read_judged_folder(self.folder, pairs=self.pairs)
            corpora, notes, judgments = folder.corpora, list(folder.notes), [*judgments, *folder.judgments]
        else:
            corpora = self._corpora_from_files(judgments, scores)
        return corpora, judgments, notes

    def align_with(self, corpus: Corpus) -> tuple[JudgedSet, list[str]]:
        """Lay the judgments onto outputs that are there already; the notes say what was left out.

        Raises
        ------
        InputError
            If nobody judged these outputs.
        """
        judgments = [read_judgments(path) for path in expand_paths(self.human)]
        for file in judgments:
            if isinstance(file, JudgedTexts):
                raise InputError(
                    f"{file.path} judges texts of its own, not the outputs of systems: give it to tertium meta"
                )
        corpora = {self._only_pair(judgments): corpus}
        sets, notes = align_judgments(corpora, judgments, self.options, pairs=self.pairs)
        _check_pairs(self.pairs, sets, judgments, notes)
        return sets[0], notes

    @property
    def lacks_texts(self) -> bool:
        """Whether no outputs are named, so that they can only come with the judgments themselves."""
        return not (self.folder or self.references or self.hypotheses)

    def _corpora_from_files(
        self, judgments: Sequence[Judgments], scores: Sequence[ScoreFile]
    ) -> Mapping[str, Corpus]:
        if not judgments:
            raise OptionError("give a FOLDER, or judgments with --human FILE")
        if self.references and self.hypotheses:
            corpus = CorpusFiles(
                references=self.references, hypotheses=self.hypotheses, columns=self.columns
            ).read()
            return {self._only_pair(judgments): corpus}
        if self.references or self.hypotheses:
            raise OptionError("-r and -i go together")
        without_texts = [file for file in judgments if not isinstance(file, JudgedTexts)]
        if without_texts and not scores:
            raise OptionError(
                "give the outputs with -r and -i, or, to tertium meta, their scores with --scores"
            )
        return textless_corpora(without_texts, scores)

    def _only_pair(self, judgments: Sequence[Judgments]) -> str:
        named = {pair for file in judgments for pair in file.pairs if pair}
        if len(self.pairs) > 1 or (not self.pairs and len(named) > 1):
            raise OptionError("the judgments are of several language pairs; choose one with -p")
        return (list(self.pairs) or sorted(named) or [""])[0]


def _check_pairs(
    pairs: Sequence[str], sets: Sequence[JudgedSet], judgments: Sequence[Judgments], notes: Sequence[str]
) -> None:
    """Refuse language pairs that were asked for and are not there, and data of which nothing is left."""
    there = {judged.pair for judged in sets}
    for pair in pairs:
        if pair not in there:
            known = sorted({each for file in judgments for each in file.pairs} - {""})
            why = [note for note in notes if pair in note] or [f"judged are {', '.join(known)}"]
            raise InputError(f"-p {pair}: nothing to compare people with; {'; '.join(why)}")
    if not sets:
        raise InputError("; ".join(notes) or "no language pair was judged")


def fingerprint(sets: Sequence[JudgedSet]) -> str:
    """Compute 16 hexadecimal digits that change with any text, system, judgment or rater normalisation."""
    digest = hashlib.sha256()
    for judged in sets:
        for part in (judged.pair, *_texts(judged.corpus)):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "little") + data)
        for array in _arrays(judged):
            digest.update(repr((array.dtype.str, array.shape)).encode() + array.tobytes())
    return digest.hexdigest()[:16]


def _texts(corpus: Corpus) -> Iterable[str]:
    for group in corpus.references:
        yield str(len(group))
        yield from group
    for name, outputs in corpus.systems.items():
        yield name
        yield from outputs


def _arrays(judged: JudgedSet) -> Iterable["np.ndarray[tuple[int, ...], np.dtype[np.generic]]"]:
    nothing = np.zeros(0)
    yield nothing if judged.system_scores is None else judged.system_scores
    yield nothing if judged.segment_scores is None else judged.segment_scores
    if judged.comparisons is not None:
        yield from judged.comparisons


Scored = Sequence[Mapping[str, MetricScores]]

_LEVELS: tuple[tuple[Level, str], ...] = (("segment", "seg"), ("system", "sys"))


def render_score_files(
    sets: Sequence[JudgedSet], scored: Scored, *, layout: str, test_set: str, spell: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """Write each metric's scores of all language pairs, a file per level: its name and its text."""
    for label in dict.fromkeys(label for by_label in scored for label in by_label):
        for level, short in _LEVELS:
            texts = []
            for judged, by_label in zip(sets, scored, strict=True):
                table = _scores_of(by_label.get(label), level)
                if table is None or judged.systems == (ONLY_SYSTEM,):
                    continue
                by_system = dict(zip(judged.systems, table.tolist(), strict=True))
                texts.append(
                    render_score_file(
                        spell(label), judged.pair, by_system, level=level, layout=layout, test_set=test_set
                    )
                )
            if texts:
                yield f"{spell(label)}.{short}.score", "".join(texts)


def _scores_of(scores: MetricScores | None, level: Level) -> FloatArray | None:
    if scores is None:
        return None
    if level == "segment":
        return scores.segment_scores
    return None if scores.system_scores is None else scores.system_scores[:, None]
