"""Write docs/metrics.md from the docstrings of the metrics. Run: python tools/make_metric_docs.py"""

import inspect
from pathlib import Path

from tertium.catalog import families, find_metric
from tertium.metrics.base import Metric
from tertium.metrics.options import Option, is_resource_type

TARGET = Path(__file__).parent.parent / "docs" / "metrics.md"


INTRODUCTION = """# Metrics

Made from the docstrings by `make docs`; `tertium metrics NAME` shows the same.
Bounded metrics are shown on 0–100; `--scale 1` shows 0–1.
"""


def render_page() -> str:
    parts = [INTRODUCTION]
    by_family: dict[str, list[str]] = {}
    for name, family in families().items():
        by_family.setdefault(family, []).append(name)
    for family, names in by_family.items():
        parts.append(f"## {family.capitalize()} metrics\n")
        parts += [render_metric(find_metric(name)) for name in sorted(names)]
    return "\n".join(parts)


def render_metric(cls: type[Metric]) -> str:
    text = (inspect.getdoc(cls) or "").partition("\n>>>")[0].rstrip()
    direction = "higher is better" if cls.higher_is_better else "lower is better"
    rows = [
        f"| `{each.name}` | {_default(each)} | {each.describe()} | {each.help} |" for each in cls.options()
    ]
    table = "\n".join(["| option | default | values | meaning |", "|---|---|---|---|", *rows])
    return f"### {cls.name}\n\n*{cls.paper}; {direction}.*\n\n{text}\n\n{table}\n"


def _default(option: Option) -> str:
    if is_resource_type(option.type):
        return ""
    others = [
        f"`{option.write(value)}` with {kind} vectors" for kind, value in (option.by_vectors or {}).items()
    ]
    return "; ".join([f"`{option.write(option.default)}`", *others])


if __name__ == "__main__":
    TARGET.write_text(render_page(), encoding="utf-8")
