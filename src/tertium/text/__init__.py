"""Text processing that metrics share: columns of texts, tokenizers, languages."""

from tertium.text.columns import NormalForm, References, TakenTexts, Texts
from tertium.text.tokenizers import TOKENIZERS

__all__ = ["TOKENIZERS", "NormalForm", "References", "TakenTexts", "Texts"]
