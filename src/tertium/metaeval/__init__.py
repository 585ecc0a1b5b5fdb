"""Can a metric be trusted? Metrics' scores beside human judgments, language pair by language pair.

A *judged set* is the corpus of one language pair with human judgments of its segments or systems. *Metric scores* are the scores of one
metric on a judged set, oriented so that higher is better. A *statistic* measures the agreement between metric scores and judgments at a
*level* (system, segment, document, domain), over all scores or *grouped* by item or by system. A *table* has one statistic: a row per
metric, a column per judged set, and tests between metrics. A *task* is a published selection of test sets, levels and statistics, such as
that of WMT23. A *calibration* says how often human judges agree with a score difference.
"""

from tertium.metaeval.judged_sets import HumanOptions, JudgedSet, match_judgments

__all__ = ["HumanOptions", "JudgedSet", "match_judgments"]
