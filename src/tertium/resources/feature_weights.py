"""Learned weights of features: a small TOML file that says how it was made."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from tertium.errors import ResourceError

__all__ = ["LearnedWeights", "load_weights"]

DEFAULT = Path(__file__).parent / "data" / "beer.toml"


@dataclass(frozen=True)
class LearnedWeights:
    """Weights by feature; two with the same identity are equal."""

    identity: str
    weights: Mapping[str, float] = field(repr=False, compare=False)


def load_weights(path: str | None = None) -> LearnedWeights:
    """Read the weights that come with the package, or those of `tools/train_beer.py` from a file.

    Raises
    ------
    ResourceError
        If the file cannot be read or has no table `weights` of numbers.
    """
    source = DEFAULT if path is None else Path(path)
    try:
        data = source.read_bytes()
        weights = tomllib.loads(data.decode("utf-8"))["weights"]
        checked = {str(name): float(weight) for name, weight in weights.items()}
    except OSError as error:
        raise ResourceError(f"the weights {source} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ResourceError(f"{source} has no table [weights] of numbers: {error}") from error
    return LearnedWeights(f"{source.stem}[{sha256(data).hexdigest()[:8]}]", checked)
