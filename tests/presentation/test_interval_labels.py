"""The label of every interval shows the level 1 - alpha, in every table and on the page."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.commands.base.scoring import ScoreResult
from tertium.presentation.tables import HUMAN_READABLE

EXAMPLES = Path(__file__).parents[2] / "examples" / "data"
NAMES = ("aurora", "ember")
PATHS = [str(EXAMPLES / "systems" / f"{name}.txt") for name in NAMES]
REFERENCE = str(EXAMPLES / "reference.en.txt")
HUMAN = str(EXAMPLES / "human.tsv")

alphas = st.floats(0.001, 0.5).map(lambda alpha: round(alpha, 4)) | st.sampled_from([0.05, 0.3])
_LABEL = re.compile(r"([\d.]+)\\? ?\\?% (?:bootstrap |confidence )?interval")


def read(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()[:25]


def score(alpha: float, **options: object) -> ScoreResult:
    texts = dict(zip(NAMES, map(read, PATHS), strict=True))
    return tertium.score(texts, read(REFERENCE), "wer", alpha=alpha, samples=20, **options)  # type: ignore[arg-type]


def check(page: str, alpha: float) -> None:
    found = {float(level) for level in _LABEL.findall(page)}
    assert list(found) == [pytest.approx(100 * (1 - alpha), abs=1e-8)]


@settings(max_examples=50, deadline=None)
@given(alphas, st.sampled_from(HUMAN_READABLE))
def test_scores_are_labelled_with_their_level(alpha: float, form: str) -> None:
    check(score(alpha, ci=True).render(form), alpha)


@settings(max_examples=25, deadline=None)
@given(alphas, st.sampled_from(HUMAN_READABLE))
def test_scores_of_subsets_are_labelled_with_their_level(alpha: float, form: str) -> None:
    check(score(alpha, ci=True, by="length").render(form), alpha)


@settings(max_examples=25, deadline=None)
@given(alphas, st.sampled_from(HUMAN_READABLE))
def test_differences_are_labelled_with_their_level(alpha: float, form: str) -> None:
    result = tertium.compare(score(alpha), systems=NAMES, alpha=alpha, samples=20)
    check(result.render(form), alpha)


@settings(max_examples=25, deadline=None)
@given(alphas, st.sampled_from(HUMAN_READABLE))
def test_agreement_is_labelled_with_its_level(alpha: float, form: str) -> None:
    result = tertium.meta(
        references=REFERENCE,
        hypotheses=PATHS,
        human=HUMAN,
        metrics="wer",
        ci=True,
        alpha=alpha,
        samples=20,
        skip_unknown=True,
    )
    check(result.render(form), alpha)


@settings(max_examples=3, deadline=None)
@given(alphas)
def test_the_page_is_labelled_with_its_level(alpha: float) -> None:
    page = tertium.report(
        hypotheses=PATHS,
        references=REFERENCE,
        metrics="wer,per",
        human=HUMAN,
        alpha=alpha,
        samples=20,
        skip_unknown=True,
    ).render()
    check(page, alpha)
    assert len(_LABEL.findall(page)) >= 4  # scores, forest chart, agreement table and a sentence


def test_no_level_is_written_in_the_package() -> None:
    folder = Path(tertium.__file__).parent / "presentation"
    sources = [path for path in folder.rglob("*") if path.suffix in (".py", ".html", ".js")]
    assert sources
    assert [path.name for path in sources if re.search(r"\b95 ?%", path.read_text(encoding="utf-8"))] == []
