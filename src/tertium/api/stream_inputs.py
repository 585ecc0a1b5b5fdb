"""Which files can be scored in parts, and which questions need them as a whole."""

import stat
from collections.abc import Sequence
from pathlib import Path

from tertium.api.score import ScoreRequest
from tertium.corpus import CorpusFiles, expand_paths, split_system
from tertium.corpus.texts.formats import is_streamed
from tertium.corpus.texts.parts import exceeds, list_paths
from tertium.corpus.texts.streaming import Plan, plan_texts
from tertium.errors import TertiumError
from tertium.evaluation.resampling import POISSON_FROM
from tertium.files.paths import STDIN, is_folder, parse_address, show_path

__all__ = ["find_obstacle", "find_unstreamed", "is_large", "name_folder", "plan_files"]

_WILDCARDS = "*?["


def plan_files(files: CorpusFiles) -> Plan:
    """Find all files, without reading any."""
    systems = [each for text in files.hypotheses for each in _expand(text)]
    references = [path for text in files.references for _, path in _expand(text)]
    return plan_texts(references, systems, files.source, columns=files.columns)


def _expand(argument: str) -> list[tuple[str | None, str]]:
    """Expand a pattern into files; but `NAME=PATTERN` is one text in many files."""
    name, path = split_system(argument)
    if name is not None and any(each in path for each in _WILDCARDS):
        return [(name, path)]
    return [split_system(each) for each in expand_paths([argument])]


def name_folder(files: CorpusFiles) -> str | None:
    """Find a text that lies in many files, which are only read in parts."""
    for argument in (*files.references, *files.hypotheses):
        name, path = split_system(argument)
        if is_folder(path) or is_folder(path.rpartition("#")[0]):
            return f"the folder {show_path(path)}"
        if name is not None and any(each in path for each in _WILDCARDS):
            return f"the pattern {show_path(path)}"
    return None


def find_obstacle(request: ScoreRequest, whole: Sequence[str]) -> str | None:
    """Find something that was asked for and needs the whole corpus in memory."""
    given = {
        "--by": request.by,
        "--where": request.where,
        "--resample": request.resample,
        "--scores": request.scores,
    }
    wanted = [*(name for name, value in given.items() if value), *whole]
    if wanted:
        others = ", or choose -f csv, tsv, jsonl or parquet" if wanted[0].startswith("--segments") else ""
        return f"{wanted[0]} needs all of them in memory; leave one of the two out{others}"
    vectors = request.resources.vectors
    if vectors is not None and not isinstance(vectors, (str, Path)):
        return "the vectors were made in Python; give the name of their file"
    return None


def find_unstreamed(texts: Plan) -> str | None:
    """Find a file that cannot be read in parts."""
    for path in list_paths(texts):
        if path == STDIN or _is_pipe(path):
            return f"{'standard input' if path == STDIN else path} can be read only once; save it to a file first"
        if not is_streamed(path):
            return f"{show_path(path)} is read as a whole; give .txt, .tsv, .jsonl or .parquet files"
    return None


def is_large(files: CorpusFiles) -> bool:
    """Whether the first reference has too many segments to keep; whatever is wrong with it is found later."""
    try:
        path = parse_address(expand_paths(files.references)[0]).path
        return path != STDIN and not _is_pipe(path) and is_streamed(path) and exceeds(path, POISSON_FROM - 1)
    except TertiumError:
        return False


def _is_pipe(path: str) -> bool:
    try:
        return not stat.S_ISREG(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False  # whoever opens it says what is wrong
