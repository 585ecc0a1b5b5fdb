"""What silently ruins scores: checks of one text, of a pair of texts, and of a whole layout of files."""

from tertium.doctor.finding import Finding, Severity
from tertium.doctor.fit import Misfit, Need, check_resources_fit
from tertium.doctor.order import check_layout
from tertium.doctor.pairs import check_pair, check_source
from tertium.doctor.quick import quick_check
from tertium.doctor.single import check_text

__all__ = [
    "Finding",
    "Misfit",
    "Need",
    "Severity",
    "check_layout",
    "check_pair",
    "check_resources_fit",
    "check_source",
    "check_text",
    "quick_check",
]
