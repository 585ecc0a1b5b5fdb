"""Can a metric be trusted? Metrics' scores beside human judgments, language pair by language pair."""

from tertium.metaeval.judged_sets import HumanOptions, JudgedSet, align_judgments

__all__ = ["HumanOptions", "JudgedSet", "align_judgments"]
