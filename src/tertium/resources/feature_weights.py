"""Learned feature weights of a metric, in a small TOML file that also records how they were trained."""

from collections.abc import Mapping
from dataclasses import field
from hashlib import sha256
from math import isfinite
from pathlib import Path

from tertium.errors import ResourceError
from tertium.files.paths import show_path
from tertium.files.reading import parse_toml, read_text
from tertium.records import record

DEFAULT = Path(__file__).parent / "data" / "beer.toml"


@record
class LearnedWeights:
    """Weights by feature; instances with the same identity are equal."""

    identity: str
    weights: Mapping[str, float] = field(repr=False, compare=False)


def load_weights(path: str | None = None) -> LearnedWeights:
    """Read the weights in the package, or a file written by `tools/train_beer.py`.

    Raises
    ------
    ResourceError
        If the file cannot be read or has no table `weights` of numbers.
    """
    source = DEFAULT if path is None else Path(path)
    text = read_text(source, error=ResourceError)
    try:
        weights = parse_toml(text)["weights"]
        checked = {str(name): float(weight) for name, weight in weights.items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ResourceError(f"{show_path(source)} has no table [weights] of numbers: {error}") from error
    wrong = next((name for name, weight in checked.items() if not isfinite(weight)), None)
    if wrong is not None:
        raise ResourceError(
            f"{show_path(source)}: the weight of {wrong!r} is not a finite number; train again"
        )
    return LearnedWeights(f"{source.stem}[{sha256(text.encode()).hexdigest()[:8]}]", checked)
