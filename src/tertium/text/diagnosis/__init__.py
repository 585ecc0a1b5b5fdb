"""What silently ruins scores: checks of one text, of a pair of texts, and of a whole layout of files."""

from tertium.text.diagnosis.finding import Finding, Severity
from tertium.text.diagnosis.order import check_layout
from tertium.text.diagnosis.pairs import check_pair, check_source
from tertium.text.diagnosis.quick import quick_check
from tertium.text.diagnosis.single import check_text

__all__ = ["Finding", "Severity", "check_layout", "check_pair", "check_source", "check_text", "quick_check"]
