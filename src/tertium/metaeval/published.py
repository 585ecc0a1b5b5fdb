"""Published scores of metrics: files in the layouts of WMT, and the metrics of a folder of mt-metrics-eval."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, replace
from pathlib import Path

from tertium.corpus import expand_paths
from tertium.corpus.judgments.mtme import (
    find_metric_scores,
    is_mtme_folder,
    list_metrics,
    list_mtme_pairs,
    name_in_task,
    name_metric,
)
from tertium.corpus.judgments.score_files import Level, ScoreFile, read_score_file
from tertium.corpus.test_sets import find_judged_folder
from tertium.errors import InputError, OptionError, argument, suggest
from tertium.files.paths import exists, show_path
from tertium.metaeval.data import JudgedData
from tertium.records import record


@record
class PublishedScores:
    """Files of scores by path, or by the name of a metric in a folder of mt-metrics-eval.

    Attributes
    ----------
    lower
        Metrics where lower is better.
    task
        The metrics task whose names of metrics are used.
    takes_all
        Whether a task without names takes its official metrics.
    levels
        The levels of the scores to read.
    """

    judged: JudgedData
    _: KW_ONLY
    names: tuple[str, ...]
    lower: tuple[str, ...]
    task: str | None
    takes_all: bool
    levels: frozenset[Level]

    def read(self) -> list[ScoreFile]:
        """Read all files; raise if a metric where lower is better is in none of them."""
        files = self._name_metrics([read_score_file(path) for path in self._score_paths()])
        _check_lower(self.lower, {name for file in files for name in file.metrics})
        return files

    def _name_metrics(self, files: Sequence[ScoreFile]) -> list[ScoreFile]:
        """Name metrics as the task does, or without the reference in use, which differs between language pairs."""
        if self.task is not None:
            return [replace(file, metrics=list(map(name_in_task, file.metrics))) for file in files]
        root = find_mtme_folder(self.judged)
        if root is None:
            return list(files)
        used = {pair.pair: pair.reference for pair in list_mtme_pairs(root, self.judged.choice)}
        return [
            replace(
                file,
                metrics=[
                    name_metric(name, used.get(pair, "src"))
                    for name, pair in zip(file.metrics, file.pairs, strict=True)
                ],
            )
            for file in files
        ]

    def _score_paths(self) -> list[str]:
        """List the files of scores; a name that is not a file is a metric in a folder of mt-metrics-eval."""
        root = find_mtme_folder(self.judged)
        paths: list[str] = []
        names = self.names
        if self.task is not None and root is not None and not names and self.takes_all:
            names = tuple(list_metrics(root, self.judged.pairs, self.judged.choice, official=True))
        for name in names:
            if root is None or exists(name):
                paths += expand_paths([name])
            elif found := find_metric_scores(
                root, name, self.judged.pairs, self.judged.choice, levels=set(self.levels)
            ):
                paths += found
            else:
                raise InputError(self._describe_unknown(name, root))
        return paths

    def _describe_unknown(self, name: str, root: Path) -> str:
        known = list_metrics(root, self.judged.pairs, self.judged.choice)
        hint = suggest(name, known, otherwise=f"it has {', '.join(known) or 'none'}")
        return f"{argument('scores', name)}: no such file, and {show_path(root)} has no metric of this name; {hint}"


def find_mtme_folder(judged: JudgedData) -> Path | None:
    """Return the folder of the data if it is a test set of mt-metrics-eval."""
    root = None if judged.folder is None else find_judged_folder(judged.folder)
    return root if root is not None and is_mtme_folder(root) else None


def _check_lower(lower: Sequence[str], known: set[str]) -> None:
    scores = argument("scores")
    hint = f"there are {', '.join(sorted(known))}" if known else f"it applies to metrics of {scores}"
    for name in lower:
        if name not in known:
            raise OptionError(f"{argument('lower', name)}: no file of {scores} has this metric; {hint}")
