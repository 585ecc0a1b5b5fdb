"""Test sets on this machine: in sacreBLEU's folder, in mt-metrics-eval's, in a folder in one of WMT's layouts, and collections of them.

Nothing is downloaded. If a set is missing, the error describes how to get it. A collection is a folder, a manifest, or a list of
test sets with a pattern for the outputs.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from glob import glob
from pathlib import Path
from typing import Any

from tertium.corpus.judgments.mtme import MtmePair, is_mtme_folder, list_mtme_pairs
from tertium.corpus.judgments.score_files import LANGUAGE_PAIR
from tertium.errors import InputError, UnknownNameError, argument, suggest
from tertium.files.paths import is_folder, list_folder, show_path
from tertium.files.reading import parse_toml, read_lines, read_text
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


_COLUMNS = ("test_set", "system", "file", "reference")


@record
class SuiteMember:
    """One test set: its name, its language or language pair, and its files."""

    name: str
    language: str | None
    references: tuple[str, ...]
    source: str | None
    systems: Mapping[str, str]
    columns: str | None = None
    """A table with properties of each segment, such as its domain."""


def list_members(
    places: Sequence[str], test_sets: Sequence[str], outputs: Sequence[str], languages: Sequence[str]
) -> list[SuiteMember]:
    """List the test sets of folders and manifests, and the test sets given by name, for these language pairs.

    Parameters
    ----------
    places
        Folders in a layout that `find_test_set` knows, and manifests (.toml, .tsv).
    test_sets
        Names or folders of test sets.
    outputs
        Patterns of the systems' files for `test_sets`, with the fields {system}, {set} and {pair}.
    languages
        Language pairs; empty for all.
    """
    groups = [(place, list(_read_place(place))) for place in places]
    groups += [(name, _from_test_set(name, outputs)) for name in test_sets]
    if languages:
        groups = [
            (name, [member for member in found if member.language in languages]) for name, found in groups
        ]
        _check_languages(languages, groups)
    members = _name_apart(groups)
    if not members:
        raise InputError("there is no test set")
    seen = set[str]()
    for member in members:
        if member.name in seen:
            raise InputError(f"two test sets are called {member.name!r}; give them different names")
        seen.add(member.name)
    return members


_Groups = Sequence[tuple[str, list[SuiteMember]]]


def _check_languages(languages: Sequence[str], groups: _Groups) -> None:
    found = {member.language for _, members in groups for member in members}
    if missing := [language for language in languages if language not in found]:
        raise InputError(f"there is no test set for {', '.join(missing)}")


def _name_apart(groups: _Groups) -> list[SuiteMember]:
    """Put the name of the folder or manifest before test sets that have the same name in two of them."""
    counts = Counter(member.name for _, members in groups for member in members)
    places = [Path(place).stem for place, _ in groups]
    return [
        replace(member, name=f"{name} {member.name}") if counts[member.name] > 1 else member
        for name, (_, members) in zip(places, groups, strict=True)
        for member in members
    ]


def _read_place(place: str) -> Iterator[SuiteMember]:
    if is_folder(place):
        return iter(_from_test_set(place, ()))
    if place.endswith(".toml"):
        return _read_toml(place)
    if place.endswith(".tsv"):
        return _read_tsv(place)
    raise InputError(f"{show_path(place)} is neither a folder nor a manifest (.toml or .tsv)")


def _from_test_set(name: str, outputs: Sequence[str]) -> list[SuiteMember]:
    found, members = find_test_set(name), []
    for pair in found.pairs:
        systems = {system: str(path) for system, path in pair.systems.items()}
        for pattern in outputs:
            systems |= _match(pattern, {"set": found.name, "pair": pair.pair})
        if systems:
            label = pair.pair if is_folder(name) and not outputs else f"{found.name} {pair.pair}"
            source = None if pair.source is None else str(pair.source)
            columns = None if pair.columns is None else str(pair.columns)
            references = tuple(map(str, pair.references))
            members.append(SuiteMember(label, pair.pair, references, source, systems, columns))
    if not members:
        raise InputError(
            f"{name} has no system outputs; give them with {argument('hypotheses', '{system}/{set}.{pair}.txt')}"
        )
    return members


def _match(pattern: str, fields: Mapping[str, str], folder: Path | None = None) -> dict[str, str]:
    """Find the files of a pattern by system; {system} stands for any name, and paths are relative to a folder."""
    for name, value in fields.items():
        pattern = pattern.replace(f"{{{name}}}", value)
    files = sorted(glob(pattern.replace("{system}", "*"), root_dir=folder))  # noqa: PTH207 - patterns are texts
    if "{system}" not in pattern:
        return {Path(path).stem: path for path in files}
    before, _, after = pattern.partition("{system}")
    ends = [re.escape(part).replace(r"\*", "[^/]*").replace(r"\{system\}", r"\1") for part in (before, after)]
    expression = re.compile("([^/]+)".join(ends))
    return {found[1]: path for path in files if (found := expression.fullmatch(path))}


def _read_toml(path: str) -> Iterator[SuiteMember]:
    text = read_text(path)
    try:
        document = parse_toml(text)
    except ValueError as error:
        raise InputError(f"{show_path(path)} is not TOML: {error}") from None
    entries = document.get("test_set")
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{show_path(path)} needs a table [[test_set]] for each test set")
    for number, entry in enumerate(entries, start=1):
        yield _parse_entry(path, number, entry)


def _parse_entry(path: str, number: int, given: Any) -> SuiteMember:
    place, folder = f"{show_path(path)}, test set {number}", Path(path).parent
    entry = given if isinstance(given, dict) else {}
    references, systems = entry.get("references", []), entry.get("systems")
    references = [references] if isinstance(references, str) else references
    if isinstance(systems, str):
        pattern, systems = systems, _match(systems, {}, folder)
        if not systems:
            raise InputError(f"{place}: no file matches {pattern}")
    is_list = isinstance(references, list) and all(isinstance(reference, str) for reference in references)
    is_table = isinstance(systems, dict) and all(isinstance(system, str) for system in systems.values())
    if not isinstance(entry.get("name"), str) or not is_list or not is_table or not systems:
        raise InputError(
            f'{place}: it needs name = "…", references = "FILE" and systems = {{NAME = "FILE"}} or a pattern with {{system}}'
        )
    for name in ("language", "source", "columns"):
        if not isinstance(entry.get(name, ""), str):
            raise InputError(f"{place}: {name} must be a text, not {entry[name]!r}")
    return SuiteMember(
        entry["name"],
        entry.get("language"),
        tuple(str(folder / reference) for reference in references),
        _below(folder, entry.get("source")),
        {name: str(folder / file) for name, file in systems.items()},
        _below(folder, entry.get("columns")),
    )


def _below(folder: Path, path: str | None) -> str | None:
    """Return a path of a manifest, which is relative to the manifest; None if it is missing or empty."""
    return str(folder / path) if path else None


def _read_tsv(path: str) -> Iterator[SuiteMember]:
    lines = read_lines(path)
    header = lines[0].split("\t") if lines else []
    if not set(_COLUMNS) <= set(header):
        raise InputError(
            f"{show_path(path)}, line 1: expected a header with the columns {', '.join(_COLUMNS)}"
        )
    folder, rows = Path(path).parent, dict[str, list[dict[str, str]]]()
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise InputError(
                f"{show_path(path)}, line {number:,}: {len(cells)} columns instead of {len(header)}"
            )
        row = dict(zip(header, cells, strict=True))
        own = rows.setdefault(row["test_set"], [])
        if any(row["system"] == other["system"] for other in own):
            raise InputError(
                f"{show_path(path)}, line {number:,}: {row['system']} occurs twice in {row['test_set']}"
            )
        own.append(row)
    for name, listed in rows.items():
        first = listed[0]
        references = dict.fromkeys(str(folder / row["reference"]) for row in listed)
        yield SuiteMember(
            name,
            first.get("language") or None,
            tuple(references),
            _below(folder, first.get("source")),
            {row["system"]: str(folder / row["file"]) for row in listed},
            _below(folder, first.get("columns")),
        )
