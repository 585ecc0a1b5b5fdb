"""The texts that a user gives: files, paths, lists, mappings, data frames, a corpus or an earlier result."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from tertium.arguments import describe_value, list_items
from tertium.commands.base.scores import SystemScores
from tertium.corpus import CorpusFiles, UnalignedOutput, read_columns, read_lines
from tertium.errors import InputError, OptionError, argument
from tertium.files.paths import NamedPath, exists, split_name
from tertium.metrics.inputs import Orientation, group_references, list_frame, make_column
from tertium.records import record
from tertium.values import Corpus

Texts = Iterable[str]
References = Iterable[str] | Iterable[Iterable[str | None]]


class Addresses(tuple["str | NamedPath", ...]):
    """Files as the command line names them: `FILE`, `FILE#COLUMN`, `NAME=FILE`, `-`, or names with paths."""

    __slots__ = ()


@record(eq=False, kw_only=True)
class GivenTexts:
    """Outputs, references, source and columns in any form, and where the rest of a test set comes from.

    Attributes
    ----------
    align
        Whether the lines of the outputs need not match those of the references.
    needs_references
        Whether segments or documents of references are needed even if no metric reads references.
    """

    hypotheses: object
    references: object
    source: str | PathLike[str] | Iterable[str] | None = None
    columns: str | PathLike[str] | Mapping[str, Iterable[object]] | None = None
    orientation: Orientation | None = None
    test_set: str | None = None
    language: str | None = None
    align: bool = False
    needs_references: bool = False

    def find(self) -> Corpus | CorpusFiles:
        """The texts, or the files that hold them."""
        corpus = self.hypotheses
        if isinstance(corpus, SystemScores):
            corpus = _corpus_of(corpus)
        if isinstance(corpus, Corpus | CorpusFiles):
            if self.references is not None:
                raise InputError(f"a corpus has its own references: leave out {argument('references')}")
            return corpus
        hypotheses, references = _list_addresses(self.hypotheses), _list_addresses(self.references)
        if self.test_set is not None or hypotheses is not None or references is not None:
            return self._find_files(hypotheses, references)
        return self._take_texts()

    def read_unaligned(self, documents: str | None) -> tuple[Corpus, dict[str, UnalignedOutput]]:
        """Read references into a corpus without systems, and outputs whose lines need not match."""
        from tertium.alignment.documents import BLANK, drop_blank_segments

        texts = self.find()
        if isinstance(texts, CorpusFiles):
            corpus, outputs = texts.read_unaligned()
        else:
            systems = texts.systems or self._take_systems()
            outputs = {name: UnalignedOutput(f"system {name!r}", lines) for name, lines in systems.items()}
            corpus = replace(texts, systems={})
        return (drop_blank_segments(corpus) if documents == BLANK else corpus), outputs

    def _find_files(
        self, hypotheses: tuple[str | NamedPath, ...] | None, references: tuple[str | NamedPath, ...] | None
    ) -> CorpusFiles:
        """Take the named files, and the rest from the test set; its systems too if none are named."""
        source, columns = self.source, self.columns
        if self.test_set is not None:
            from tertium.corpus.test_sets import open_pair

            if references:
                raise OptionError(f"give either {argument('references')} or {argument('test_set')}, not both")
            found = open_pair(self.test_set, self.language)
            references = tuple(map(str, found.references))
            source, columns = source or found.source, columns or found.columns
            hypotheses = hypotheses or tuple(
                NamedPath(name, str(path)) for name, path in found.systems.items()
            )
        if not hypotheses:
            raise OptionError(f"{argument('hypotheses', 'FILE')} is missing")
        self._check_references(references)
        if source is not None and not isinstance(source, str | PathLike):
            raise InputError("the source must be a file, as the other texts are")
        if columns is not None and not isinstance(columns, str | PathLike):
            raise InputError("the columns must be a file, as the texts are")
        return CorpusFiles(
            references=tuple(
                address if isinstance(address, str) else address.path for address in references or ()
            ),
            hypotheses=hypotheses,
            source=None if source is None else fspath(source),
            columns=None if columns is None else fspath(columns),
        )

    def _take_texts(self) -> Corpus:
        systems = self._take_systems()
        self._check_references(self.references)
        first = _list_first(self.references) if self.align else next(iter(systems.values()))
        return Corpus(
            _group(first, self.references, self.orientation),
            {} if self.align else systems,
            sources=self._take_source(),
            columns=self._take_columns(len(first)),
        )

    def _check_references(self, references: object) -> None:
        """Raise if segments or documents of references are needed, but there are none."""
        is_missing = references is None or (isinstance(references, tuple) and not references)
        if is_missing and (self.needs_references):
            raise OptionError(f"{argument('references', 'FILE')} is missing")

    def _take_systems(self) -> dict[str, Sequence[str]]:
        found: Any = list_frame(self.hypotheses) or self.hypotheses
        given: Any = found if isinstance(found, Mapping) else {"system": found}
        if not given:
            raise InputError("no system to score: the mapping of hypotheses is empty")
        for name in given:
            if not isinstance(name, str):
                raise InputError(
                    f"the names of systems must be strings, not {name!r} ({type(name).__name__})"
                )
        columns: dict[str, Sequence[str]] = {}
        for name, texts in given.items():
            place = f"hypotheses[{name!r}]" if len(given) > 1 else "hypotheses"
            _check_not_path(texts, place)
            columns[name] = make_column(texts, place)
        return columns

    def _take_columns(self, n_segments: int) -> Mapping[str, Sequence[str]]:
        if self.columns is None:
            return {}
        if isinstance(self.columns, str | PathLike):
            return read_columns(fspath(self.columns), n_segments)
        given = list_frame(self.columns) or self.columns
        if not isinstance(given, Mapping):
            raise OptionError(
                f"{argument('columns')} must be a file, a mapping of lists or a data frame,"
                f" not {describe_value(given)}"
            )
        found = {
            str(name): [str(value) for value in list_items(values, f"columns[{name!r}]")]
            for name, values in given.items()
        }
        for name, values in found.items():
            if len(values) != n_segments:
                raise InputError(
                    f"columns[{name!r}] has {len(values):,} values, but there are {n_segments:,} segments"
                )
        return found

    def _take_source(self) -> Sequence[str] | None:
        if self.source is None:
            return None
        if isinstance(self.source, str | PathLike):
            return read_lines(fspath(self.source))
        return make_column(self.source, "source")


def _list_addresses(given: object) -> tuple[str | NamedPath, ...] | None:
    """List the files that were named by paths; None if these are texts."""
    if isinstance(given, Addresses):
        return tuple(given)
    if isinstance(given, PathLike):
        return (fspath(given),)
    if isinstance(given, Mapping) and given and all(isinstance(path, PathLike) for path in given.values()):
        return tuple(NamedPath(name, fspath(path)) for name, path in given.items())
    is_list = isinstance(given, list | tuple) and bool(given)
    if is_list and all(isinstance(path, PathLike) for path in given):  # type: ignore[attr-defined]
        return tuple(fspath(path) for path in given)  # type: ignore[attr-defined]
    return None


def is_empty(texts: object) -> bool:
    return isinstance(texts, tuple) and not texts


def split_groups(addresses: Iterable[str | NamedPath]) -> tuple[Addresses, list[str]]:
    """Split `NAME=FILE,FILE` into one address per training run, and name the runs of each group."""
    found, groups = list[str | NamedPath](), list[str]()
    for text in addresses:
        name, path = split_name(text)
        if name is None or "," not in path or exists(path):
            found.append(text)
            continue
        files = path.split(",")
        if "" in files or len(files) < 2:
            raise OptionError(f"{text!r} names several training runs, but one of them is missing")
        runs = [f"{name}/{number}" for number in range(1, len(files) + 1)]
        found += map(NamedPath, runs, files)
        groups.append(f"{name}={','.join(runs)}")
    return Addresses(found), groups


def _corpus_of(result: SystemScores) -> Corpus:
    """Return the texts of an earlier result."""
    corpus = getattr(result, "corpus", None)
    if isinstance(corpus, Corpus):
        return corpus
    raise InputError("the result has no texts: they were scored in parts, or the run was saved without them")


def _check_not_path(texts: object, place: str) -> None:
    """Raise on a string where a list of texts is needed: it is usually a path."""
    if isinstance(texts, str):
        path = repr(texts) if len(texts) <= 60 else "…"
        raise InputError(
            f"{place} must be a list of strings, not a single string; a file is given as pathlib.Path({path})"
        )


def _list_first(references: object) -> Sequence[str]:
    """List one text per segment of references whose number of segments the hypotheses do not show."""
    frame = list_frame(references)
    items: list[Any] = list_items(references, "references") if frame is None else list(frame.values())
    return items if not items or isinstance(items[0], str) else list_items(items[0], "references[0]")


def _group(
    hypotheses: Sequence[str], references: object, orientation: Orientation | None
) -> Sequence[Sequence[str]]:
    if references is None:
        return group_references(hypotheses, None, orientation)
    _check_not_path(references, "references")
    if isinstance(references, bytes | Mapping):
        raise InputError(f"references must be a list, not a {type(references).__name__}")
    frame = list_frame(references)
    if frame is not None:
        return group_references(hypotheses, list(frame.values()), "streams")
    items = list_items(references, "references")
    n_texts = sum(isinstance(item, str) for item in items)
    if n_texts and n_texts == len(items):
        return group_references(hypotheses, [items], "streams")
    if n_texts:
        other = next(i for i, item in enumerate(items) if not isinstance(item, str))
        raise InputError(
            f"references must be all strings or all lists of strings, not a mixture;"
            f" references[{other}] is of type {type(items[other]).__name__}"
        )
    return group_references(hypotheses, items, orientation)
