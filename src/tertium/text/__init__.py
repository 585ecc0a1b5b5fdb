"""Language without a paper: columns of texts and the views that metrics take of them."""

from tertium.text.columns import References, Texts
from tertium.text.tokenizers import TOKENIZERS

__all__ = ["TOKENIZERS", "References", "Texts"]
