"""Tables 1 and 2 of Yu et al. (2014): the tuned parameters of REDp, and the numbers of judged systems."""

import tomllib
from pathlib import Path

from papers.markdown import table
from papers.scoring import judged_sets
from tertium.catalog import find_metric

__all__ = ["render_setup"]

_PRESET = Path(__file__).parent / "redp-wmt10.toml"
# Our name of a parameter, the paper's, and its value in Table 1.
_PARAMETERS = (
    ("alpha", "α", 0.9), ("function", "w_fun", 0.2), ("exact", "w_exact", 0.9), ("stem", "w_stem", 0.6), ("synonym", "w_syn", 0.6),
    ("paraphrase", "w_par", 0.6), ("one", "w_1", 0.6), ("two", "w_2", 0.5), ("three", "w_3", 0.1),
)  # fmt: skip
_SYSTEMS = {"cs-en": 6, "de-en": 16, "es-en": 12, "fr-en": 15}


def render_setup(data: Path) -> str:
    """Tables 1 and 2."""
    default = find_metric("redp")
    tuned = tomllib.loads(_PRESET.read_text(encoding="utf-8"))["options"]
    rows = [
        ["the paper", *(f"{value:g}" for _, _, value in _PARAMETERS)],
        ["`redp`", *(f"{getattr(default, name):g}" for name, _, _ in _PARAMETERS)],
        ["tuned here on WMT10, 13a tokens", *(f"{tuned[name]:g}" for name, _, _ in _PARAMETERS)],
    ]
    counts = {
        each.pair: len(each.systems)
        for each in judged_sets(data / "wmt12")
        if each.pair in _SYSTEMS and each.system_scores is not None
    }
    systems = ", ".join(f"{pair} {count} / {_SYSTEMS[pair]}" for pair, count in counts.items())
    words = f"Table 2, systems of WMT12, ours / the paper's: {systems}.\n"
    head = ["parameters", *(symbol for _, symbol, _ in _PARAMETERS)]
    return f"### Tables 1 and 2: parameters and systems\n\n{table(head, rows)}\n{words}"
