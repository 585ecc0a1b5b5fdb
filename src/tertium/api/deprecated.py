"""Functions of version 0.2 that were renamed; `tertium.__getattr__` warns about them."""

from collections.abc import Sequence
from os import PathLike

from tertium.api.doctor import Diagnosis, doctor
from tertium.api.report import report
from tertium.api.scores import SystemScores


def diagnose(
    *files: str,
    references: Sequence[str] = (),
    hypotheses: Sequence[str] = (),
    source: str | None = None,
) -> Diagnosis:
    """Find problems in text files; replaced by `tertium.doctor`."""
    return doctor(files, references=references, hypotheses=hypotheses, source=source)


def write_report(
    result: SystemScores, path: "str | PathLike[str]", *, title: str = "Which translation is better?"
) -> None:
    """Write a result as a page; replaced by `tertium.report(result).write(path)`."""
    asked = result.options
    page = report(
        result,
        title=title,
        test=asked.paired or "bootstrap",
        samples=asked.samples,
        seed=asked.seed,
        alpha=asked.alpha,
        language=result.target,
    )
    page.write(path)
