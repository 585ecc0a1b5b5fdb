"""The verdict below a table of scores, and the lines around it."""

import io
from pathlib import Path

import pytest

import tertium
from tertium.commands.base.scoring import ScoreResult
from tertium.presentation.tables import print_document
from tertium.presentation.verdict import describe_verdict

DATA = Path(__file__).parents[2] / "examples" / "data"
NAMES = ("aurora", "boreas", "cirrus", "delta", "ember", "fathom")


def read(path: str) -> list[str]:
    return (DATA / path).read_text(encoding="utf-8").splitlines()


REFERENCES = read("reference.en.txt")
SYSTEMS = {name: read(f"systems/{name}.txt") for name in NAMES}


def score(names: tuple[str, ...], metrics: str, **options: object) -> ScoreResult:
    chosen = {name: SYSTEMS[name] for name in names}
    return tertium.score(chosen, REFERENCES, metrics, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("names", "metrics", "verdict"),
    [
        pytest.param(("aurora",), "wer", "", id="one system"),
        pytest.param(
            ("ember", "aurora"), "bleu", "aurora is significantly better than ember on BLEU", id="two systems"
        ),
        pytest.param(
            ("cirrus", "aurora", "ember"),
            "bleu,ter",
            "aurora is significantly better than all others on both metrics",
            id="three systems",
        ),
        pytest.param(
            NAMES,
            "bleu,chrf,ter",
            "aurora and boreas tie on all 3 metrics; separating them would take about 1,100 (TER) to 8,600 (BLEU)"
            " more segments",
            id="a tie",
        ),
        pytest.param(
            ("delta", "ember"),
            "bleu,chrf",
            "delta and ember tie on BLEU; ember is significantly better than delta on chrF; separating the two best"
            " scores would take about 4,600 (BLEU) more segments",
            id="metrics that disagree",
        ),
    ],
)
def test_the_verdict_names_the_best_systems(names: tuple[str, ...], metrics: str, verdict: str) -> None:
    assert describe_verdict(score(names, metrics).table) == verdict


def test_many_kinds_of_ties_are_counted() -> None:
    said = describe_verdict(score(("delta", "ember", "fathom"), "bleu,chrf,ter").table)
    assert said.startswith("delta and ember are among the best on 2 of 3 metrics; separating the two best")


def test_too_few_segments_are_the_verdict() -> None:
    few = {name: texts[:20] for name, texts in SYSTEMS.items()}
    said = describe_verdict(tertium.score(few, REFERENCES[:20], "wer").table)
    assert said.startswith("too few segments for tests (20): ")
    assert said.endswith("; without a test of all pairs, aurora scores best on WER")


@pytest.mark.parametrize("n_systems", [1, 2, 6])
@pytest.mark.parametrize("metrics", ["bleu", "bleu,chrf,ter"])
def test_a_table_has_at_most_four_lines_below(n_systems: int, metrics: str) -> None:
    lines = score(NAMES[:n_systems], metrics, ci=True).render("text").splitlines()
    assert len(lines) - lines.index("") - 1 <= 4


def test_systems_are_sorted_by_the_first_metric_for_readers_only() -> None:
    result = score(("ember", "aurora", "delta"), "bleu,chrf")
    first = [line.split()[0] for line in result.render("text").splitlines()[1:4]]
    assert first == ["aurora", "delta", "ember"]
    assert [each["name"] for each in result.to_dict()["systems"]] == ["ember", "aurora", "delta"]
    unsorted = score(("ember", "aurora", "delta"), "bleu,chrf", sort="none").render("text").splitlines()[1:4]
    assert [line.split()[0] for line in unsorted] == ["ember", "aurora", "delta"]


@pytest.mark.parametrize("width", [80, 100, 160])
def test_no_column_stands_alone_in_a_block(width: int) -> None:
    file = io.StringIO()
    result = score(NAMES, "bleu,chrf,ter,wer,per,invwer", ci=True)
    print_document(result.document(), file=file, width=width)
    headings = [line for line in file.getvalue().splitlines() if line.startswith("system ")]
    assert [len(line.split("↑")) + len(line.split("↓")) - 2 for line in headings] in (
        [3, 3],
        [6],
        [],  # a row per metric
    )


def test_details_show_tests_ranks_parts_and_signatures() -> None:
    shown = score(NAMES, "bleu,ter", ci=True, details=True).render("text")
    assert "test: paired bootstrap over segments, all pairs of systems, Holm-adjusted p < 0.05" in shown
    assert "BLEU: bleu|nrefs:1|bs:1000|seed:12345|" in shown
    assert "\nranks that the tests support\n" in shown
    assert "\nparts of BLEU\n" in shown
    assert "73.3/51.9/38.2/27.7" in shown
    assert "details=" not in shown
