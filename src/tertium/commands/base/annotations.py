"""Error spans of raters and automatic judges, for commands that show outputs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from tertium.commands.base.request import Strings
from tertium.commands.base.scored_inputs import ScoredInputs
from tertium.commands.base.text_options import HUMAN
from tertium.corpus import expand_paths
from tertium.corpus.judgments.formats import read_judgments
from tertium.corpus.judgments.readers import SegmentJudgments
from tertium.corpus.judgments.spans import check_spans
from tertium.errors import InputError
from tertium.presentation.segment_tables import Annotation, Annotations
from tertium.records import record
from tertium.values import Corpus


@record(kw_only=True, repr=False, eq=False)
class AnnotationOptions:
    """Files of error spans."""

    human: Annotated[
        Strings,
        replace(
            HUMAN,
            help="Judgments with error spans, of raters or automatic judges, to show below the outputs: [!major!] and"
            " [~minor~] errors.",
        ),
    ] = ()

    def read_annotations(self, scored: ScoredInputs) -> Annotations:
        """Read the error spans of the scored outputs."""
        return _read(expand_paths(tuple(self.human)), scored)


def _read(paths: Sequence[str], scored: ScoredInputs) -> Annotations:
    """Read judgments with error spans of the scored outputs.

    Raises
    ------
    InputError
        If a file has no error spans, judges none of the outputs, or marks characters that an output does not have.
    """
    found: dict[tuple[str, int], list[Annotation]] = {}
    if paths and scored.corpus is None:
        raise InputError("the run has no texts in which errors could be marked")
    for path in paths:
        judged = read_judgments(path)
        if not isinstance(judged, SegmentJudgments) or judged.spans is None:
            raise InputError(f"{path} has no error spans; they are in MQM and ESA annotations")
        own = annotate(judged, scored.corpus)
        if not own:
            raise InputError(f"{path} judges none of these outputs; systems and segments need the same names")
        for key, given in own.items():
            found.setdefault(key, []).extend(given)
    return found


def annotate(judged: SegmentJudgments, corpus: Corpus | None) -> dict[tuple[str, int], list[Annotation]]:
    """Collect the error spans of outputs in a corpus; nothing without spans or texts."""
    found: dict[tuple[str, int], list[Annotation]] = {}
    if corpus is None or judged.spans is None:
        return found
    labels = corpus.segment_ids or [str(i + 1) for i in range(len(corpus))]
    rows = {label: row for row, label in enumerate(labels)}
    keys = zip(judged.systems, judged.segments, judged.spans, strict=True)
    for i, (system, segment, spans) in enumerate(keys):
        if system in corpus.systems and segment in rows:
            check_spans(spans, corpus.systems[system][rows[segment]], judged.place(i))
            rater = judged.raters[i] if judged.raters and judged.raters[i] else judged.path
            given = Annotation(rater, float(judged.scores[i]), spans)
            found.setdefault((system, rows[segment]), []).append(given)
    return found
