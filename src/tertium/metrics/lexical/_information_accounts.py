"""How much each matched n-gram tells: the account behind NIST."""

from collections.abc import Sequence
from functools import lru_cache

from tertium.kernels import InformationWeights
from tertium.metrics.lexical._ngram_accounts import Ngram, account_ngrams

__all__ = ["describe_information"]


def describe_information(
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    known: InformationWeights | None,
    order: int,
) -> list[str]:
    """Tell of each order what its matches weigh, the most telling n-gram first."""
    weights = _list_weights(known)
    lines: list[str] = []
    for account in account_ngrams(hypothesis, references, range(1, order + 1)):
        if account.n_own == 0:
            break
        told = sorted(((weights.of(ngram), ngram, n) for ngram, n in account.matched.items()), reverse=True)
        total = sum(weight * count for weight, _, count in told)
        lines.append(
            f"{account.order}-grams: {total:.4f} bits in {account.matched.total()} of {account.n_own}"
        )
        lines += [f"  {' '.join(ngram)}: {_spell(weight, count)}" for weight, ngram, count in told]
    return lines


@lru_cache(maxsize=1)
def _list_weights(known: InformationWeights | None) -> "_Weights":
    """List the weights once for all segments of a test set, which share them."""
    return _Weights(known)


class _Weights:
    """The weights of n-grams, found word by word."""

    def __init__(self, known: InformationWeights | None) -> None:
        self._weights = [] if known is None else known.weights.tolist()
        self._names: dict[tuple[int, str], int] = {}
        if known is not None:
            words = [known.words[token] for token in known.tokens.tolist()]
            self._names = {pair: k for k, pair in enumerate(zip(known.parents.tolist(), words, strict=True))}

    def of(self, ngram: Ngram) -> float:
        """Return what an n-gram weighs; those that are not in the table weigh nothing."""
        name = -1
        for word in ngram:
            found = self._names.get((name, word))
            if found is None:
                return 0.0
            name = found
        return float(self._weights[name])


def _spell(weight: float, count: int) -> str:
    return f"{weight:.4f} bits" if count == 1 else f"{count} × {weight:.4f} bits"
