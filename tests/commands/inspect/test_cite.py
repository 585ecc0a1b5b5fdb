"""`tertium cite`, and the LaTeX table for papers."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tertium as package
from tertium.catalog.finding import families, find_metric
from tertium.commands.inspect.cite import find_citations, read_citations
from tertium.metrics import FAMILIES

Tertium = Callable[..., Any]
DATA = Path(__file__).parents[3] / "examples" / "data"
SCORE = ("score", "-r", DATA / "reference.en.txt", "-i", DATA / "systems/aurora.txt", DATA / "systems/boreas.txt", DATA / "systems/ember.txt", "-q")  # fmt: skip


def test_metrics_and_the_test_are_cited_once(tertium: Tertium) -> None:
    run = tertium("cite", "bleu,std", "chrf:word_order=2", "chrf++")
    assert run.code == 0
    keys = re.findall(r"^@\w+\{([^,]+),$", run.out, re.MULTILINE)
    assert keys == [
        "papineni-etal-2002-bleu", "li-etal-2019-std", "popovic-2015-chrf", "popovic-2017-chrf",
        "koehn-2004-statistical", "holm-1979-simple", "tertium",
    ]  # fmt: skip
    assert (
        r"We report BLEU~\citep{papineni-etal-2002-bleu}, STD~\citep{li-etal-2019-std} and chrF~\citep"
        in run.out
    )


def test_another_test_is_cited(tertium: Tertium) -> None:
    data = json.loads(tertium("cite", "ter", "--test", "randomization", "-f", "json").out)
    assert "riezler-maxwell-2005-pitfalls" in data["bibtex"]
    assert "approximate randomization tests" in data["methods"]


def test_the_papers_of_most_metrics_have_entries() -> None:
    own = [find_metric(name) for name, family in families().items() if family in FAMILIES]
    named = [each for each in own if each.paper and "not from a paper" not in each.paper]
    lacking = [each.name for each in named if not find_citations(each.paper)]
    assert len(lacking) <= len(named) // 8, lacking


def test_entries_are_complete() -> None:
    for entries in read_citations().values():
        assert entries
        for entry in entries:
            assert entry.bibtex.count("{") == entry.bibtex.count("}")
            assert re.search(r"^  (author|title) = ", entry.bibtex, re.MULTILINE)


def test_an_unknown_metric_is_named(tertium: Tertium) -> None:
    run = tertium("cite", "blue")
    assert (run.code, "did you mean bleu?" in run.err) == (2, True)


def test_the_table_for_papers_has_ranks_letters_and_a_caption(tertium: Tertium) -> None:
    out = tertium(*SCORE, "-m", "bleu,ter", "--ci", "-f", "latex", "--style", "paper").out
    lines = out.splitlines()
    assert lines[0] == r"\begin{table}"
    assert r"Rank & System & BLEU $\uparrow$ & TER $\downarrow$ \\" in lines
    assert any(
        line.startswith(r"1--2 & boreas & 44.10$^{\mathrm{a}}$ {\scriptsize$\pm$2.50} & \textbf{40.29}")
        for line in lines
    )
    assert any(line.startswith(r"3 & ember & 21.12$^{\mathrm{b}}$ {\scriptsize$\pm$") for line in lines)
    (caption,) = [line for line in lines if line.startswith(r"\caption{")]
    assert (
        "Systems that share a letter do not differ significantly (paired bootstrap over segments, 1,000 samples,"
        " Holm-adjusted over all pairs of systems, $p < 0.05$)" in caption
    )
    assert r"\texttt{bleu|nrefs:1|bs:1000|" in caption


def test_with_a_baseline_double_daggers_mark_differences_from_it(tertium: Tertium) -> None:
    out = tertium(
        *SCORE, "--paired", "bootstrap", "--baseline", "aurora", "-f", "latex", "--style", "paper"
    ).out
    assert r"ember & 21.12$^{\ddagger}$" in out
    assert "boreas & 44.10 " in out
    assert (
        r"$\ddagger$: significantly different from aurora (paired bootstrap over segments, 1,000 samples, Holm-adjusted"
        " over all pairs of systems, $p < 0.05$)" in out
    )


def test_a_table_for_papers_says_that_sacrebleus_test_is_not_adjusted(tertium: Tertium) -> None:
    out = tertium(*SCORE, "--paired", "sacrebleu-bootstrap", "-f", "latex", "--style", "paper").out
    assert "(sacreBLEU's paired bootstrap, 1,000 samples, not adjusted, $p < 0.05$)" in out
    assert "Rank" not in out


def test_the_dagger_is_the_mark_of_meta_only(tertium: Tertium) -> None:
    for options in ((), ("--paired", "bootstrap"), ("--paired", "sacrebleu-bootstrap")):
        out = tertium(*SCORE, *options, "-f", "latex", "--style", "paper").out
        assert r"\dagger" not in out


def test_one_system_needs_no_ranks() -> None:
    out = package.score(["a b"], ["a c"], "wer", style="paper").render("latex")
    assert r"System & WER $\downarrow$ \\" in out


@pytest.mark.parametrize("form", ["text", "csv"])
def test_the_style_is_latexs(tertium: Tertium, form: str) -> None:
    run = tertium(*SCORE, "-f", form, "--style", "paper")
    assert run.code == 2
    assert "--style paper requires --format latex" in run.err
