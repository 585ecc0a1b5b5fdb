"""Write examples/notebook.ipynb: run the cells below and store their output.

python tools/make_notebook.py            # write it
python tools/make_notebook.py --check    # run the notebook that is there; fail if a cell prints something else now
"""

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

import tertium

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NOTEBOOK = EXAMPLES / "notebook.ipynb"

# Text of a cell; those that begin with `%` are prose.
CELLS = (
    """% # Which system is better, and can the metric be trusted?

This notebook scores the bundled systems, compares the best two, looks into one segment, and asks how well the metrics
agree with people. `tools/make_notebook.py` writes it; a test runs it.""",
    """from pathlib import Path

from IPython.display import SVG

import tertium

reference = "data/reference.en.txt"
systems = sorted(str(path) for path in Path("data/systems").glob("*.txt"))
corpus = tertium.read_corpus([reference], [(None, path) for path in systems])
len(corpus), list(corpus.systems)""",
    """% ## Score

A star marks the best system of a metric. Systems that share a letter do not differ significantly.""",
    """result = tertium.score(corpus, metrics="bleu,chrf,ter,std", ci=True, sort="bleu")
result""",
    """% The same numbers for programs:""",
    """best = result["bleu"]["aurora"]
print(round(best.value, 2), best.signature.rpartition("|version:")[0])
print([round(score, 1) for score in result.segments("bleu")["aurora"][:5]])""",
    """% ## Compare

Where do the two best systems differ?""",
    """compared = tertium.compare(
    "data/systems/aurora.txt", "data/systems/boreas.txt", references=[reference], metrics="bleu,chrf", n=2
)
compared""",
    """% ## Explain

Lines join the words that TER matched; crossing lines are words that moved, and faint words have no partner.""",
    """explained = tertium.explain("we will meet in the old lobby at twelve", "we will meet at noon in the lobby", "ter")
print(explained.render())
SVG(explained.picture().svg())""",
    """% ## Can the metric be trusted?

People judged the outputs; the tables show how well each metric agrees with them.""",
    """judged = tertium.JudgedData(references=(reference,), hypotheses=tuple(systems), human=("data/human.tsv",))
agreement = tertium.meta(judged, "bleu,chrf,ter,std")
agreement""",
    """charts = dict(agreement.charts())
SVG(next(iter(charts.values())).svg())""",
)


def main() -> None:
    """Write the notebook, or check the existing one."""
    if "--check" in sys.argv[1:]:
        check()
        return
    notebook = nbformat.v4.new_notebook(
        cells=[_make_cell(i, text) for i, text in enumerate(CELLS)],
        metadata={"language_info": {"name": "python"}},
    )
    run(notebook)
    nbformat.write(notebook, NOTEBOOK)


def check() -> None:
    """Run every cell again; texts must be the same, charts may come from another version."""
    kept = nbformat.read(NOTEBOOK, as_version=4)
    assert [cell.source for cell in kept.cells] == [_strip(text) for text in CELLS], (
        "the notebook is older than this file"
    )
    now = nbformat.from_dict(kept)
    before = [_texts(cell) for cell in kept.cells]
    run(now)
    for number, (old, cell) in enumerate(zip(before, now.cells, strict=True), start=1):
        assert old == _texts(cell), f"cell {number} gives {_texts(cell)}, but the notebook shows {old}"
    print(f"{len(now.cells)} cells give what the notebook shows")


def run(notebook: Any) -> None:
    """Run all cells in the folder of examples; the first error ends the program."""
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(EXAMPLES)}},
    )
    client.execute()
    notebook.metadata = {"language_info": {"name": "python"}}  # and not the version of whoever made it


def _make_cell(number: int, text: str) -> Any:
    make = nbformat.v4.new_markdown_cell if text.startswith("%") else nbformat.v4.new_code_cell
    return make(_strip(text), id=f"cell-{number + 1}")


def _strip(text: str) -> str:
    return text.removeprefix("% ")


def _texts(cell: Any) -> list[str]:
    """List the texts that a cell prints, without charts and the version."""
    texts = []
    for each in cell.get("outputs", []):
        data = each.get("data", {})
        if "image/svg+xml" not in data:
            texts.append(each.get("text") or data.get("text/html") or data["text/plain"])
    return [text.replace(f"tertium-{tertium.__version__}", "tertium") for text in texts]


if __name__ == "__main__":
    main()
