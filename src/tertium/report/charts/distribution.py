"""How two systems differ segment by segment: a histogram of score differences."""

import numpy as np
import numpy.typing as npt

from tertium.report.charts.model import Chart, Spec, category, heading, layer, number, tooltip, wrap_text
from tertium.types import FloatArray

__all__ = ["draw_distribution"]

_WIDTH, _HEIGHT = 480, 240
_N_BARS = 20  # on each side of zero
_SHOWN = 0.99  # of the differences get bars of their own; the rest is counted in the outermost


def draw_distribution(
    differences: npt.ArrayLike,
    *,
    title: str,
    metric: str,
    first: str,
    second: str,
    lower_is_better: bool = False,
) -> Chart:
    """Draw how often the score of `second` minus the score of `first` has which size, segment by segment.

    NaN is left out. Bars never cross zero, so that each side belongs to one system; segments with equal
    scores are only counted in the subtitle.
    """
    known = np.asarray(differences, dtype=float)
    known = known[np.isfinite(known)]
    unequal = known[known != 0]
    edge = float(np.quantile(np.abs(unequal), _SHOWN)) if unequal.size else 1.0
    reach = max(edge, abs(float(known.mean()))) if known.size else edge
    winners = (second, first) if lower_is_better else (first, second)
    label = wrap_text(f"{metric} of {second} − {metric} of {first}", 12, _WIDTH)
    return Chart.of(
        {
            "description": title,
            "title": heading(title, _describe(known, edge, winners), _WIDTH),
            "width": _WIDTH,
            "height": _HEIGHT,
            "layer": [
                _bars(unequal, edge, winners, number("low", [-reach, reach], title=label)),
                *_mean_layers(known),
            ],
        }
    )


def _describe(known: FloatArray, edge: float, winners: tuple[str, str]) -> str:
    below, above = int((known < 0).sum()), int((known > 0).sum())
    beyond = int((np.abs(known) > edge).sum())
    text = f"better: {winners[0]} in {below:,} segments, {winners[1]} in {above:,}"
    if equal := len(known) - above - below:
        text += f", neither in {equal:,} (not drawn)"
    return text + (f"; {beyond:,} beyond ±{edge:.3g} are in the outermost bars" if beyond else "")


def _bars(unequal: FloatArray, edge: float, winners: tuple[str, str], x: Spec) -> Spec:
    side = np.linspace(0, edge, _N_BARS + 1)
    edges = np.concatenate([-side[:0:-1], side])  # zero exactly in the middle
    counts, _ = np.histogram(np.clip(unequal, -edge, edge), bins=edges)
    rows = [
        {"low": edges[i], "high": edges[i + 1], "n": int(n), "winner": winners[i >= _N_BARS]}
        for i, n in enumerate(counts)
    ]
    encoding: Spec = {
        "x": x,
        "x2": {"field": "high"},
        "y": number("n", title="segments"),
        "y2": {"datum": 0},
        "color": category("winner", winners, title="better"),
        "tooltip": tooltip("winner", low="from", high="to", n="segments"),
    }
    return layer("rect", rows, encoding, aria=False)


def _mean_layers(known: FloatArray) -> list[Spec]:
    """A line at the mean of all differences, with its value above."""
    if not known.size:
        return []
    mean = float(known.mean())
    rows: list[Spec] = [{"mean": mean, "label": f"mean {mean:+.3g}".replace("-", "−")}]
    text: Spec = {"x": number("mean"), "y": {"value": 0}, "text": {"field": "label"}}
    return [
        layer("rule", rows, {"x": number("mean")}, style="ink", strokeWidth=1.5, strokeDash=[4, 3]),
        layer("text", rows, text, baseline="bottom", dy=-3),
    ]
