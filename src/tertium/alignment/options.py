"""How an output is compared with the references, and where it may be cut."""

from typing import Literal

from tertium.interfaces import WordVectors
from tertium.records import record

TokenKind = Literal["words", "whitespace", "characters"]
"""The tokens that are compared: words and punctuation marks, strings between spaces, or characters."""


@record(kw_only=True)
class CutOptions:
    """How an output is compared with the references, and where it may be cut.

    Attributes
    ----------
    tokens
        The units of the edit distance.
    boundaries
        The cost, in edits, of a cut in the middle of a sentence if the reference has a sentence end there; other
        places that look unlike the end of the reference and the beginning of the next one cost less. 0 minimises
        the edits alone, which depend on the order of words; boundaries then only decide between equal numbers of
        edits.
    spelling
        Whether similar spellings cost less than a whole substitution.
    vectors
        If given, words with similar vectors cost less than a whole substitution.
    """

    tokens: TokenKind = "words"
    boundaries: float = 6.0
    spelling: bool = False
    vectors: WordVectors | None = None

    @property
    def signature(self) -> str:
        """The tokens, and the options that differ from their defaults, as a signature shows them.

        >>> CutOptions().signature, CutOptions(tokens="whitespace", boundaries=0).signature
        ('words', 'whitespace,boundaries=0')
        """
        similar = "spelling" if self.spelling else None if self.vectors is None else self.vectors.identity
        facts = (
            f"boundaries={self.boundaries:g}" if self.boundaries != CutOptions.boundaries else "",
            f"similar={similar}" if similar else "",
        )
        return ",".join([self.tokens, *filter(None, facts)])
