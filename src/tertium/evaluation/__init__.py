"""Tables of statistics, and the scores, intervals and tests that are computed from them.

*Statistics* are the numbers that a metric needs of one segment; they are additive. A *table* holds the statistics of all segments of all systems for
one metric (systems, segments, k). *Totals* are sums over segments; a metric's formula turns them into *scores*. An *evaluation* is the
tables of several metrics and systems on one test set. A *comparison* resamples *units* (segments, or groups such as documents) and holds
intervals, p-values, letters and ranks. A *run* is an evaluation in a file, with texts or their checksums and the facts that reproduce it.
"""

from tertium.evaluation.evaluation import Evaluation, SegmentBatch, compute_statistics, fit_metrics

__all__ = ["Evaluation", "SegmentBatch", "compute_statistics", "fit_metrics"]
