"""Write docs/metrics.md, docs/metrics/*.md and their pictures from the metrics. Run: python tools/make_metric_docs.py

The pages are made of the metrics' docstrings and options, of `metric_pages.toml` (formula, use), of the measured
agreement with human judges, and of examples that are run here.
"""

import inspect
import shlex
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from make_which_metric import without_twins
from tertium import explain
from tertium.catalog import families, find_metric
from tertium.commands.compare.explain import ExplainResult
from tertium.commands.inspect.cite import find_citations
from tertium.commands.inspect.metric_tables import ERAS, STATISTICS, Era
from tertium.errors import InputError
from tertium.metaeval.calibration import CalibratedMetric, read_calibration
from tertium.metrics.base import Metric
from tertium.metrics.options import Option, is_resource_type
from tertium.resources.presets import Measured, measurements, presets_of

DOCS = Path(__file__).parent.parent / "docs"
TEXTS = Path(__file__).parent / "metric_pages.toml"
PICTURES = "images/metrics"

INTRODUCTION = """# Metrics

Every metric has a page with its formula, an example, its agreement with human judges, and when to use it.
[Which metric?](which-metric.md) helps to choose. `-m NAME` selects a metric, `-m NAME:option=value` sets its options, and `tertium metrics NAME`
prints its definition. Bounded metrics are shown on 0–100; `--scale 1` shows 0–1.

SPA and acc-eq are the agreement with human judges on the neural systems of WMT22 into English: soft pairwise accuracy of systems, and accuracy of pairs
of outputs of a segment. An empty cell was not measured.
"""
FAMILIES = {
    "lexical": ("Lexical metrics", "They compare words and characters, and work for every language."),
    "embedding": (
        "Embedding metrics",
        "They compare words by their vectors, so similar words count as similar.",
    ),
    "meteor": ("METEOR", "It aligns words, stems, synonyms and paraphrases."),
    "syntax": ("Syntax metrics", "They compare dependency trees."),
    "checks": (
        "Checks",
        "They count faults that a release must not have. Most of them read the source instead of references.",
    ),
    "combined": ("Combined metrics", "They are made of other metrics."),
    "external": ("Your programs", "Scores of a program of yours."),
    "neural": ("Neural metrics", "They need a model that is not part of the package."),
}
HYPOTHESIS, REFERENCE = "we will meet at noon in the lobby", "we will meet in the lobby at twelve"


def render_pages() -> dict[str, str]:
    """Render the overview and the page of every metric, by path below docs/."""
    names = families()
    pages = {"metrics.md": _render_overview(names)}
    return pages | {f"metrics/{name}.md": render_metric(find_metric(name), names[name]) for name in names}


def _render_overview(names: Mapping[str, str]) -> str:
    parts = [INTRODUCTION]
    for family in dict.fromkeys(names.values()):
        members = sorted(name for name, own in names.items() if own == family)
        parts.append("## {}\n\n{}\n".format(*FAMILIES[family]))
        parts.append("\n".join(_overview_rows(members)) + "\n")
    contents = "\n".join(f"metrics/{name}" for name in sorted(names))
    parts.append(
        f"```{{toctree}}\n:hidden:\n\n{contents}\n```\n\n---\n\n*Made from the code by `make docs`.*\n"
    )
    return "\n".join(parts)


def _overview_rows(names: list[str]) -> Iterator[str]:
    known = {name: measurements()[name]["wmt22"] for name in names if "wmt22" in measurements().get(name, {})}
    keys = ("accuracy", "pairwise") if known else ()
    yield " | ".join(["| metric | | what it measures", *(STATISTICS[key] for key in keys)]) + " |"
    yield f"|---|---|---|{'--:|' * len(keys)}"
    for name in names:
        cls = find_metric(name)
        arrow = "↑" if cls.higher_is_better else "↓"
        measured = known.get(name, {})
        figures = "".join(f" {measured[key]:.3f} |" if key in measured else " |" for key in keys)
        yield f"| [{cls.title}](metrics/{name}.md) | {arrow} | {_texts()[name]['plain']} |{figures}"


def render_metric(cls: type[Metric], family: str) -> str:
    """Render the page of a metric."""
    texts = _texts()[cls.name]
    definition = (inspect.getdoc(cls) or "").partition("\n>>>")[0].rstrip()
    direction = "higher is better" if cls.higher_is_better else "lower is better"
    parts = [
        f"# {cls.title}",
        texts["plain"],
        f"`-m {cls.name}` · {_link_family(family)} · {direction} · reads {_describe_texts(cls)}{_describe_needs(cls)}",
        *_render_formula(texts),
        f"## When to use it\n\n{texts['use']}\n\n**When not:** {_lower_first(texts['avoid'])}",
        f"## Example\n\n{_render_example(cls.name, texts)}",
        f"## Agreement with human judges\n\n{_render_agreement(cls.name)}",
        f"## Definition\n\n{definition}",
        f"## Options\n\n{_render_options(cls)}",
        *_render_presets(cls.name),
        *_render_references(cls),
        f"---\n\n*Made from the code by `make docs`; `tertium metrics {cls.name}` prints the definition and the options.*",
    ]
    return "\n\n".join(parts) + "\n"


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(TEXTS.read_text(encoding="utf-8"))


def _link_family(family: str) -> str:
    title = FAMILIES[family][0]
    return f"[{title}](../metrics.md#{title.lower().replace(' ', '-')})"


def _lower_first(text: str) -> str:
    return text[0].lower() + text[1:]


def _describe_texts(cls: type[Metric]) -> str:
    return " and ".join(f"the {read}" for read in sorted(cls.reads)) or "the output alone"


def _describe_needs(cls: type[Metric]) -> str:
    needs = [option.help.partition(",")[0] for option in cls.options() if is_resource_type(option.type)]
    return f" · needs {', '.join(needs)}" if needs else ""


def _render_formula(texts: Mapping[str, str]) -> list[str]:
    if "formula" not in texts:
        return []
    return [f"$$\n{texts['formula']}\n$$", *([texts["where"]] if "where" in texts else [])]


def _render_example(name: str, texts: Mapping[str, str]) -> str:
    if "no_example" in texts:
        return texts["no_example"]
    command = f"tertium explain -m {name} {shlex.quote(texts.get('hypothesis', HYPOTHESIS))}"
    command += f" -s {shlex.quote(texts['source'])}" if "source" in texts else f" {shlex.quote(REFERENCE)}"
    block = f"```console\n$ {command}\n{explain_example(name)}\n```"
    if not (DOCS / PICTURES / f"{name}.svg").exists():
        return block
    return f"{block}\n\n`--picture FILE` draws it:\n\n![{name} explained](../{PICTURES}/{name}.svg)"


def explain_example(name: str) -> ExplainResult:
    """Explain the example of a metric."""
    sys.modules["pycocoevalcap"] = None  # type: ignore[assignment]  # its paraphrases would change the examples
    texts = _texts()[name]
    references = () if "source" in texts else (REFERENCE,)
    return explain(texts.get("hypothesis", HYPOTHESIS), references, name, source=texts.get("source"))


def _render_agreement(name: str) -> str:
    measured = {
        label: figures
        for label, figures in without_twins(measurements()).items()
        if label.partition("@")[0] == name
    }
    calibrated = [found for table in ("wmt21-22", "wmt10-15") if (found := _find_calibrated(name, table))]
    parts = [_agreement_table(era, measured) for era in ERAS if era.columns(measured.values())]
    parts += [LEGEND] if parts else []
    reached = [
        f"{size:.2f} points ({metric.source})"
        for metric in calibrated
        if (size := metric.curve.reach(0.8)) is not None
    ]
    if reached:
        parts.append(
            f"The [expected human agreement](../human-agreement.md) reaches 80 % at a difference of {' and of '.join(reached)}."
        )
    return (
        "\n\n".join(parts)
        or "Not measured on WMT's test sets. `tertium meta` measures it on your own judgments."
    )


def _find_calibrated(name: str, table: str) -> CalibratedMetric | None:
    return next((metric for metric in read_calibration(table).metrics if metric.name == name), None)


LEGEND = (
    "Into English, figures are means over the language pairs. τ is Kendall's τ of segments over human rankings, r Pearson's r of systems, SPA their soft "
    "pairwise accuracy, DA Pearson's r of directly assessed segments, and acc-eq the accuracy of pairs of outputs of a segment. "
    "[Which metric?](../which-metric.md) compares all metrics."
)


def _agreement_table(era: Era, measured: Mapping[str, Measured]) -> str:
    columns = era.columns(measured.values())
    heads = " | ".join(era.heading(*column).replace("wmt", "WMT") for column in columns)
    rows = [f"{era.title[0].upper()}{era.title[1:]}:", "", f"| | {heads} |", f"|---|{'--:|' * len(columns)}"]
    for label, figures in measured.items():
        if era.columns([figures]):
            cells = [figures.get(name, {}).get(key) for name, key in columns]
            shown = " | ".join("" if cell is None else f"{cell:.3f}" for cell in cells)
            rows.append(f"| `{label}` | {shown} |")
    return "\n".join(rows)


def _render_options(cls: type[Metric]) -> str:
    rows = [
        f"| `{option.name}` | {_default(option)} | {option.describe()} | {option.help} |"
        for option in cls.options()
    ]
    return "\n".join(["| option | default | values | meaning |", "|---|---|---|---|", *rows])


def _default(option: Option) -> str:
    if is_resource_type(option.type):
        return ""
    others = [
        f"`{option.write(value)}` with {kind} vectors" for kind, value in (option.by_vectors or {}).items()
    ]
    return "; ".join([f"`{option.write(option.default)}`", *others])


def _render_presets(name: str) -> list[str]:
    options = {option.name: option for option in find_metric(name).options()}
    rows = [
        f"- `-m {preset.label}`: {', '.join(f'`{key}={options[key].write(value)}`' for key, value in preset.options.items()) or 'defaults'}"
        f"{''.join(f', `--{kind} {value}`' for kind, value in preset.resources.items())} ({preset.source})"
        for preset in presets_of(name)
    ]
    return ["## Presets\n\n" + "\n".join(rows)] if rows else []


def _render_references(cls: type[Metric]) -> list[str]:
    entries = "\n\n".join(citation.bibtex for citation in find_citations(cls.paper))
    told = f"{cls.paper}; `tertium cite {cls.name}` prints the entry for a paper."
    return [f"## Reference\n\n{told}\n\n```bibtex\n{entries}\n```"] if entries else []


def draw_pictures() -> None:
    """Draw the examples, where there is something to draw."""
    folder = DOCS / PICTURES
    folder.mkdir(exist_ok=True)
    for name, texts in _texts().items():
        if "no_example" not in texts:
            try:
                explain_example(name).picture().write(folder / f"{name}.svg")
            except InputError:  # nothing to draw
                continue


if __name__ == "__main__":
    draw_pictures()
    for path, text in render_pages().items():
        (DOCS / path).write_text(text, encoding="utf-8")
