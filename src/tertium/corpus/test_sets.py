"""Test sets on this machine: in sacreBLEU's folder, in mt-metrics-eval's, or in a folder in one of WMT's layouts.

Nothing is downloaded. If a set is missing, the error describes how to get it.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from tertium.corpus.judgments.mtme import MtmePair, is_mtme_folder, list_mtme_pairs
from tertium.corpus.judgments.score_files import LANGUAGE_PAIR
from tertium.errors import InputError, UnknownNameError, argument, suggest
from tertium.files.paths import is_folder, list_folder, show_path
from tertium.records import record

COLUMN_FILES = ("columns.tsv", "columns.jsonl", "columns.tsv.gz", "columns.jsonl.gz")
"""Names of tables with properties of the segments, beside the texts of a language pair."""

_ARCHIVES = (".tgz", ".tar", ".gz", ".zip", ".xz")

# References and sources in WMT's archives of submitted systems: newstest2015-deen-ref.en, with or without .txt
_SUBMITTED = re.compile(
    r"(?P<name>.+)-(?P<source>[a-z]{2})(?P<target>[a-z]{2})-(?P<role>ref|src)\.[a-z]{2}(\.txt)?"
)
# The same in the repositories wmt21-news-systems and later: newstest2021.cs-en.ref.A.en, newstest2021.cs-en.hyp.Online-A.en
_PUBLISHED = re.compile(r"(?P<stem>.+\.(?P<pair>[a-z]{2,3}-[a-z]{2,3}))\.ref\.[^.]+\.[a-z]{2,3}(\.txt)?")


@record
class PairFiles:
    """The files of one language pair of a test set."""

    pair: str
    references: tuple[Path, ...]
    source: Path | None = None
    systems: Mapping[str, Path] = field(default_factory=dict)
    human: tuple[str, ...] = ()
    """Kinds of human scores."""
    columns: Path | None = None
    """A table with properties of each segment, such as its domain."""


@record
class TestSet:
    """A test set and its folder; `kind` is the tool or the project that defines its layout."""

    __test__ = False  # pytest would collect the class as a test

    name: str
    kind: str
    path: Path
    pairs: tuple[PairFiles, ...]


def data_folders() -> dict[str, Path]:
    """Return the folders in which other tools store their test sets."""
    sacrebleu = os.environ.get("SACREBLEU")
    return {
        "sacreBLEU": Path(sacrebleu) if sacrebleu else Path.home() / ".sacrebleu",
        "mt-metrics-eval": Path.home() / ".mt-metrics-eval",
    }


def list_test_sets() -> list[TestSet]:
    """List the test sets that other tools have stored on this machine."""
    folders = data_folders()
    return [*_sacrebleu_sets(folders["sacreBLEU"]), *_mtme_sets(folders["mt-metrics-eval"])]


def find_test_set(name: str) -> TestSet:
    """Find a test set by its name or its folder.

    Raises
    ------
    UnknownNameError
        If there is none; the message describes how to get it.
    """
    if is_folder(name):
        return _open_folder(Path(name))
    if name.endswith(_ARCHIVES) and Path(name).is_file():
        raise InputError(
            f"{show_path(name)} is an archive: unpack it, for example with tar xf, and give the folder"
        )
    known = list_test_sets()
    for test_set in known:
        if test_set.name == name:
            return test_set
    raise UnknownNameError(_describe_missing(name, known))


def open_pair(name: str, pair: str | None) -> PairFiles:
    """Find the files of one language pair; None is allowed if the set has only one."""
    found = find_test_set(name)
    listed = ", ".join(pair.pair for pair in found.pairs)
    if pair is None and len(found.pairs) > 1:
        raise InputError(
            f"{name} has several language pairs; choose one with {argument('language', 'PAIR')}: {listed}"
        )
    for files in found.pairs:
        if pair in (None, files.pair):
            return files
    remedy = f"; 'sacrebleu --echo src -t {name} -l {pair}' downloads it" if found.kind == "sacreBLEU" else ""
    raise InputError(f"{name} is on this machine for {listed}, not for {pair}{remedy}")


def find_judged_folder(name: str) -> Path:
    """Find a folder of judged data by its path, or by the name of a test set of mt-metrics-eval."""
    if is_folder(name):
        return Path(name)
    known = _mtme_sets(data_folders()["mt-metrics-eval"]) if "/" not in name else []
    return next((test_set.path for test_set in known if test_set.name == name), Path(name))


def _describe_missing(name: str, known: Sequence[TestSet]) -> str:
    folders = data_folders()
    hint = suggest(name, [test_set.name for test_set in known], otherwise="")
    return (
        f"test set {name!r} is not on this machine; {hint}{' ' * bool(hint)}Tertium downloads nothing: 'sacrebleu --echo src -l PAIR"
        f" -t {name}' stores sacreBLEU's sets in {show_path(folders['sacreBLEU'])}, 'mtme --download' stores"
        f" mt-metrics-eval's in {show_path(folders['mt-metrics-eval'])}, and a folder can be given by its path"
    )


def _open_folder(root: Path) -> TestSet:
    for kind, find in (("mt-metrics-eval", _mtme_pairs), ("WMT", _submitted_pairs), ("folder", _plain_pairs)):
        if pairs := find(root):
            return TestSet(root.name, kind, root, tuple(pairs))
    sets = [folder.name for folder in list_folder(root) if is_mtme_folder(folder)]
    if sets:
        raise InputError(f"{show_path(root)} holds the test sets {', '.join(sets)}: give one of them")
    raise InputError(
        f"{show_path(root)} is not a test set: it has neither LP/ref.txt and LP/systems/*.txt nor mt-metrics-eval's"
        " folders nor WMT's references/, sources/ and system-outputs/"
    )


def _sacrebleu_sets(root: Path) -> Iterator[TestSet]:
    """Find `NAME/NAME.PAIR.src` with its references; a name such as wmt14/full is a folder in a folder."""
    if not is_folder(root):
        return
    by_folder: dict[Path, list[Path]] = {}
    for file in sorted(root.rglob("*.src")):
        if "raw" not in file.relative_to(root).parts:
            by_folder.setdefault(file.parent, []).append(file)
    for folder, files in by_folder.items():
        name = folder.relative_to(root).as_posix()
        pairs = [_sacrebleu_pair(file, name) for file in files]
        if existing := tuple(pair for pair in pairs if pair is not None):
            yield TestSet(name, "sacreBLEU", folder, existing)


def _sacrebleu_pair(source: Path, name: str) -> PairFiles | None:
    stem = source.name.removesuffix(".src")
    pair = stem.removeprefix(f"{name.replace('/', '_')}.")
    references = [path for path in list_folder(source.parent) if path.name.startswith(f"{stem}.ref")]
    return (
        PairFiles(pair, tuple(references), source) if references and LANGUAGE_PAIR.fullmatch(pair) else None
    )


def _mtme_sets(root: Path) -> Iterator[TestSet]:
    """Find test sets in mt-metrics-eval's folder and in the folders of its versions."""
    for folder in (root, *(list_folder(root) if is_folder(root) else ())):
        if is_folder(folder):
            for path in list_folder(folder):
                if is_folder(path) and (pairs := _mtme_pairs(path)):
                    yield TestSet(path.name, "mt-metrics-eval", path, tuple(pairs))


def _mtme_pairs(root: Path) -> list[PairFiles]:
    return [_from_mtme(pair) for pair in list_mtme_pairs(root)] if is_mtme_folder(root) else []


def _from_mtme(files: MtmePair) -> PairFiles:
    kinds = tuple(dict.fromkeys(kind for kind, _ in files.human))
    references = (files.references[files.reference],)
    return PairFiles(files.pair, references, files.source, files.systems, kinds, files.documents)


def _submitted_pairs(root: Path) -> list[PairFiles]:
    """Find references/, sources/ and system-outputs/ of an unpacked WMT archive, perhaps inside txt/ or plain/."""
    for folder in (root, root / "txt", root / "txt-ts", root / "plain"):
        if is_folder(folder / "references") and is_folder(folder / "system-outputs"):
            found = [_submitted_pair(folder, file) for file in list_folder(folder / "references")]
            return [files for files in found if files is not None] or _published_pairs(folder)
    return []


def _published_pairs(folder: Path) -> list[PairFiles]:
    """Find the pairs of a news-systems repository; of several references the first by name is used, as in sacreBLEU."""
    found: dict[str, PairFiles] = {}
    for reference in list_folder(folder / "references"):
        named = _PUBLISHED.fullmatch(reference.name)
        if named is None or named["stem"] in found:
            continue
        outputs = _find_named(folder / "system-outputs", f"{named['stem']}.hyp.")
        sources = _find_named(folder / "sources", f"{named['stem']}.src.")
        found[named["stem"]] = PairFiles(
            named["pair"],
            (reference,),
            next(iter(sources.values()), None),
            {name.removesuffix(".txt").rpartition(".")[0]: file for name, file in outputs.items()},
        )
    return list(found.values())


def _find_named(folder: Path, prefix: str) -> dict[str, Path]:
    """Find files whose names begin with a prefix; return them by the remainder of their names."""
    files = list_folder(folder) if is_folder(folder) else []
    return {file.name.removeprefix(prefix): file for file in files if file.name.startswith(prefix)}


def _submitted_pair(folder: Path, reference: Path) -> PairFiles | None:
    named = _SUBMITTED.fullmatch(reference.name)
    if named is None or named["role"] != "ref":
        return None
    pair, name = f"{named['source']}-{named['target']}", named["name"]
    sources = folder / "sources"
    source = [
        path
        for path in (list_folder(sources) if is_folder(sources) else ())
        if path.name.startswith(f"{name}-{named['source']}{named['target']}-src.")
    ]
    outputs = folder / "system-outputs" / name / pair
    systems = {
        path.name.removesuffix(".txt").removeprefix(f"{name}.").removesuffix(f".{pair}"): path
        for path in (list_folder(outputs) if is_folder(outputs) else ())
    }
    return PairFiles(pair, (reference,), source[0] if source else None, systems)


def _plain_pairs(root: Path) -> list[PairFiles]:
    """Find LP/ref*.txt, LP/src.txt, LP/columns.tsv and LP/systems/*.txt."""
    found = []
    for folder in list_folder(root):
        references = sorted(folder.glob("ref*.txt")) if is_folder(folder) else []
        if references:
            source = folder / "src.txt"
            systems = {path.stem: path for path in sorted((folder / "systems").glob("*.txt"))}
            found.append(
                PairFiles(
                    folder.name,
                    tuple(references),
                    source if source.is_file() else None,
                    systems,
                    columns=next((path for path in list_folder(folder) if path.name in COLUMN_FILES), None),
                )
            )
    return found
