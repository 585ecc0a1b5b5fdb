"""Rules of a gate: what they show, and how often they err."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tertium.catalog import LabelledMetric, parse_metrics
from tertium.errors import OptionError, UnknownNameError
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.gate_rules import Rule
from tertium.evaluation.gating import (
    MIN_GROUPS,
    MIN_SEGMENTS,
    GatedSet,
    RuleResult,
    apply_rule,
    find_levels,
)
from tertium.evaluation.units import choose_units
from tertium.metrics.means import make_external, tabulate_scores
from tertium.stats.significance import holm
from tertium.values import FloatArray


def make(gains: FloatArray, label: str = "sentbleu") -> Evaluation:
    """Two systems whose scores differ by these gains, segment by segment."""
    base = np.full(len(gains), 50.0)
    sign, weight = (1, 1) if label == "sentbleu" else (-1, 100)
    scores = np.array([base, base + sign * gains])
    table = np.stack([scores, np.full_like(scores, weight)], axis=2)
    return Evaluation(("base", "new"), tuple(parse_metrics([label])), {label: table}, (1, 1))


def judge(gains: FloatArray, rule: Rule, **options: Any) -> list[RuleResult]:
    given = GatedSet(make(gains, rule.metric), "base", "new", values=options.pop("values", ()))
    return apply_rule([given], rule, **options)


def draw(mean: float, n: int, seed: int = 0) -> FloatArray:
    """Draw gains whose mean is exactly this."""
    gains = np.random.default_rng(seed).normal(0, 5, n)
    centred: FloatArray = gains - gains.mean() + mean
    return centred


MARGIN = Rule(metric="sentbleu", not_worse=1.0)
WEAK = Rule(metric="sentbleu", not_significantly_worse=True)


@pytest.mark.parametrize("label", ["sentbleu", "wer"], ids=["higher is better", "lower is better"])
@pytest.mark.parametrize(
    ("gain", "n", "verdict"),
    [
        (3, 200, "pass"),
        (0, 400, "pass"),
        (-0.3, 100, "undecided"),
        (-1.2, 100, "undecided"),
        (-4, 200, "fail"),
    ],
)
def test_a_margin_is_shown_or_refuted_or_undecided(label: str, gain: float, n: int, verdict: str) -> None:
    (found,) = judge(draw(gain, n), replace(MARGIN, metric=label))
    assert found.verdict == verdict
    assert found.gain == pytest.approx(gain, abs=1e-9)
    assert found.low is not None
    assert found.low < gain
    assert (found.low > -1) == (verdict == "pass")
    assert found.passes == (verdict == "pass")
    change = gain if label == "sentbleu" else -gain
    title = {"sentbleu": "SentBLEU", "wer": "WER"}[label]
    written = f"{'−' if change < 0 else '+'}{abs(change):.2f}"
    head = f"{title} 50.00 → {50 + change:.2f}"
    decided = f"{head} ({written}; at {'worst' if verdict == 'pass' else 'least'} "
    worse = "worse" if gain < -1 else "not worse"
    doubt = f"{head}: probably {worse} than allowed ({written}; 95 % interval "
    assert found.message.startswith(doubt if verdict == "undecided" else decided)
    assert ("), not certain; allowed" in found.message) == (verdict == "undecided")
    assert ("; allowed −1" if label == "sentbleu" else "; allowed +1") in found.message


@pytest.mark.parametrize(("gain", "verdict"), [(-3, "fail"), (-0.3, "pass"), (2, "pass")])
def test_the_weak_rule_fails_only_what_is_significantly_worse(gain: float, verdict: str) -> None:
    assert [result.verdict for result in judge(draw(gain, 100), WEAK)] == [verdict]


def test_undecided_means_what_the_rule_says() -> None:
    assert not judge(draw(-0.3, 100), MARGIN)[0].passes
    assert judge(draw(-0.3, 100), replace(MARGIN, undecided="pass"))[0].passes
    assert not judge(draw(-4, 200), replace(MARGIN, undecided="pass"))[0].passes


@pytest.mark.slow
def test_the_segments_that_are_asked_for_would_decide() -> None:
    (found,) = judge(draw(-0.3, 100), MARGIN)
    assert found.segments_needed is not None
    assert f"{found.segments_needed:,}" in found.message
    decided = [
        judge(np.random.default_rng(seed).normal(-0.3, 5, found.segments_needed), MARGIN)[0].verdict
        for seed in range(60)
    ]
    assert 0.65 <= decided.count("pass") / 60 <= 0.95  # 0.8 is promised


def test_no_number_of_segments_is_promised_where_none_would_help() -> None:
    assert judge(draw(-1.2, 100), MARGIN)[0].segments_needed is None


@pytest.mark.parametrize("n", [1, 2, MIN_SEGMENTS - 1])
@pytest.mark.parametrize("rule", [MARGIN, WEAK], ids=["margin", "weak"])
def test_too_few_segments_decide_nothing(n: int, rule: Rule) -> None:
    (found,) = judge(np.full(n, 30.0), rule)
    assert found.verdict == "undecided"
    assert found.segments_needed == MIN_SEGMENTS
    assert f"{n} segment{'s are' if n > 1 else ' is'} too few" in found.message


@pytest.mark.parametrize("n", [1, 100])
def test_equal_outputs_pass_even_without_a_margin(n: int) -> None:
    (found,) = judge(np.zeros(n), replace(MARGIN, not_worse=0.0))
    assert found.verdict == "pass"
    assert "SentBLEU 50.00 → 50.00, the same on every segment" in found.message


@pytest.mark.parametrize("label", ["sentbleu", "wer"])
def test_the_interval_of_a_doubtful_change_contains_what_is_allowed(label: str) -> None:
    (found,) = judge(draw(-1.74, 100, seed=3), replace(MARGIN, metric=label))
    numbers = re.search(r"\((.*); 95 % interval (.*) to (.*)\), not certain", found.message)
    assert numbers is not None
    change, low, high = (float(number.replace("−", "-")) for number in numbers.groups())
    sign = 1 if label == "sentbleu" else -1
    assert change == pytest.approx(sign * -1.74)
    assert low < change < high
    assert low < -sign < high
    quantile, error = (
        1.984,
        draw(-1.74, 100, seed=3).std(ddof=1) / 10,
    )  # t for 2.5 % and 99 degrees of freedom
    assert high - low >= 2 * quantile * error - 0.01
    assert high - low < 2 * 1.15 * quantile * error  # skewness widens one side


@pytest.mark.parametrize(
    ("label", "level", "verdict"),
    [("sentbleu", 52, "pass"), ("sentbleu", 52.1, "fail"), ("wer", 48, "pass"), ("wer", 47.9, "fail")],
)
def test_a_level_is_a_floor_or_where_lower_is_better_a_ceiling(
    label: str, level: float, verdict: str
) -> None:
    (found,) = judge(np.full(4, 2.0), Rule(metric=label, at_least=level))
    assert (found.what, found.verdict) == ("level", verdict)


@pytest.mark.parametrize(("level", "verdict"), [(48, "pass"), (47.9, "fail")])
def test_at_most_is_a_ceiling_where_lower_is_better(level: float, verdict: str) -> None:
    (found,) = judge(np.full(4, 2.0), Rule(metric="wer", at_most=level))
    assert (found.what, found.verdict) == ("level", verdict)
    assert found.message == f"WER 50.00 → 48.00; at most {level:g} is required"


def test_at_most_needs_a_metric_where_lower_is_better() -> None:
    with pytest.raises(OptionError, match="higher SentBLEU is better, so a rule gives at_least, not at_most"):
        judge(np.full(4, 2.0), Rule(metric="sentbleu", at_most=50))
    with pytest.raises(OptionError, match="at_most= must be a number, not nan"):
        Rule(metric="wer", at_most=float("nan"))


def test_a_rule_that_fails_names_the_three_costliest_segments() -> None:
    gains = np.full(100, -4.0)
    gains[[7, 30, 99]] = -40.0, -30.0, -20.0
    (found,) = judge(gains, MARGIN)
    assert [number for number, _ in found.costliest] == [8, 31, 100]
    assert all(cost < 0 for _, cost in found.costliest)
    subsets = judge(gains, replace(MARGIN, by="part"), values=["a"] * 50 + ["b"] * 50)
    assert [[number for number, _ in result.costliest][:2] for result in subsets] == [[8, 31], [100]]
    assert judge(draw(3, 200), MARGIN)[0].costliest == ()


def test_each_subset_must_hold() -> None:
    gains = np.concatenate([draw(3, 150), draw(-4, 150), [1.0]])
    values = ["news"] * 150 + ["chat"] * 150 + ["mail"]
    rule = replace(MARGIN, by="domain", at_least=49)
    found = judge(gains, rule, values=values)
    assert [(result.what, result.subset, result.verdict) for result in found] == [
        ("level", "domain=news", "pass"),
        ("level", "domain=chat", "fail"),
        ("level", "domain=mail", "pass"),
        ("not worse", "domain=news", "pass"),
        ("not worse", "domain=chat", "fail"),
        ("not worse", "domain=mail", "undecided"),
    ]
    assert all(result.message.startswith(f"{result.subset}: SentBLEU ") for result in found)


@pytest.mark.slow
def test_many_subsets_need_more_than_one_alone() -> None:
    gains = draw(
        0, 150
    )  # its mean lies 2.4 standard errors above the margin: enough for one test, not for 20
    alone = judge(gains, MARGIN)[0]
    values = [str(i) for i in range(20) for _ in range(150)]
    together = judge(np.concatenate([gains] * 20), replace(MARGIN, by="part"), values=values)
    assert alone.verdict == "pass"
    assert alone.low is not None
    assert {result.verdict for result in together} == {"undecided"}
    assert all(result.low is not None and result.low < alone.low for result in together)


@pytest.mark.parametrize("seed", range(20))
def test_levels_decide_as_adjusted_p_values_do(seed: int) -> None:
    p_values = np.random.default_rng(seed).beta(0.3, 3, 7)
    levels = find_levels(p_values.tolist(), 0.05)
    np.testing.assert_array_equal(p_values <= levels, holm(p_values) <= 0.05)


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="chrf"):
        apply_rule([GatedSet(make(draw(0, 60)), "base", "new")], replace(MARGIN, metric="chrf"))


def share_passed(mean: float, n: int, n_cases: int, rule: Rule = MARGIN) -> float:
    rng = np.random.default_rng(n)
    cases = [judge(rng.normal(mean, 5, n), rule)[0].verdict for _ in range(n_cases)]
    return cases.count("pass") / n_cases


@pytest.mark.slow
@pytest.mark.parametrize("n", [MIN_SEGMENTS, 200])
def test_a_system_worse_by_the_margin_rarely_passes(n: int) -> None:
    # alpha, and three standard errors of a share of 300 cases
    assert 0 < share_passed(-1.0, n, 300) <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5


@pytest.mark.slow
def test_an_equal_system_passes_the_more_often_the_more_segments_there_are() -> None:
    shares = [share_passed(0.0, n, 80) for n in (50, 150, 450)]
    # from the normal distribution: 0.41, 0.79, 0.995
    np.testing.assert_allclose(shares, [0.41, 0.79, 0.995], atol=0.17)
    assert shares == sorted(shares)


def judge_documents(gains: FloatArray, size: int, rule: Rule = MARGIN) -> RuleResult:
    """Judge systems whose segments come in documents of this size."""
    columns = {"document": [str(i // size) for i in range(len(gains))]}
    evaluation = replace(make(gains), units=choose_units(columns))
    return apply_rule([GatedSet(evaluation, "base", "new")], rule)[0]


def test_whole_documents_are_tested_where_they_are_known() -> None:
    gains = draw(0, 400)
    alone = judge(gains, MARGIN)[0]
    found = judge_documents(np.repeat(gains[::10], 10), 10)  # ten equal segments in each document
    assert (alone.units, alone.n_units) == ("segments, taken as independent", 400)
    assert (found.units, found.n_units) == ("documents", 40)
    assert found.n_segments == 400
    assert alone.verdict == "pass"
    assert found.verdict == "undecided"
    assert found.low is not None
    assert alone.low is not None
    assert found.low < alone.low - 0.5


def test_too_few_documents_decide_nothing() -> None:
    found = judge_documents(draw(30, 90), 10)
    assert found.verdict == "undecided"
    assert found.message.endswith(
        f"9 documents are too few for a test, which needs {MIN_GROUPS}; resample=segment takes segments as independent"
    )
    assert (found.units, found.n_units, found.segments_needed) == ("", None, None)
    few = judge_documents(draw(30, 50), 10)  # five documents: the shared rule takes segments
    assert few.verdict == "pass"
    assert few.units == "segments, taken as independent (5 documents are too few to resample)"


def judge_gaps(base: FloatArray, new: FloatArray, rule: Rule) -> RuleResult:
    metrics = (LabelledMetric("judge", make_external("judge", "")),)
    tables = {"judge": tabulate_scores(np.stack([base, new]))}
    return apply_rule([GatedSet(Evaluation(("base", "new"), metrics, tables, (1, 1)), "base", "new")], rule)[
        0
    ]


JUDGED = Rule(metric="judge", not_worse=1.0)


@pytest.mark.parametrize("rule", [JUDGED, Rule(metric="judge", not_significantly_worse=True)])
@pytest.mark.parametrize(
    ("base", "new"),
    [
        (np.full(100, np.nan), np.full(100, np.nan)),
        (np.full(100, np.nan), np.full(100, 3.0)),
        (np.repeat([1.0, np.nan], 50), np.repeat([np.nan, 1.0], 50)),
    ],
    ids=["no scores", "none of the base", "none in common"],
)
def test_without_a_common_score_nothing_is_decided(base: FloatArray, new: FloatArray, rule: Rule) -> None:
    found = judge_gaps(base, new, rule)
    assert (found.verdict, found.passes, found.scores, found.n_segments) == ("undecided", False, None, 0)
    assert found.message.startswith("judge: of 100 segments, there is no score for ")


def test_only_segments_with_both_scores_are_compared() -> None:
    gains = draw(0.5, 200)
    base, new = np.full(200, 50.0), 50 + gains
    base[:30], new[60:90] = np.nan, np.nan
    new[:30] += 500  # segments that the base has no score for
    kept = np.r_[30:60, 90:200]
    found, (alone,) = judge_gaps(base, new, JUDGED), judge(gains[kept], MARGIN)
    assert found.gain == pytest.approx(alone.gain)
    assert found.low == pytest.approx(alone.low)
    assert (found.n_segments, found.n_units) == (140, 140)
    assert " on the 140 of 200 segments that both systems have a score for" in found.message


def test_few_common_segments_decide_nothing() -> None:
    base, new = np.full(100, 50.0), np.full(100, 80.0)
    base[:30], new[40:80] = np.nan, np.nan
    found = judge_gaps(base, new, JUDGED)
    assert found.verdict == "undecided"
    assert (
        "on the 30 of 100 segments that both systems have a score for (+30.00); 30 segments are too few"
        in found.message
    )


def test_a_level_is_that_of_the_new_system_alone() -> None:
    rule = Rule(metric="judge", at_least=3)
    found = judge_gaps(np.full(10, np.nan), np.repeat([3.0, np.nan], 5), rule)
    assert found.verdict == "pass"
    assert "there is no score for 10 of base, 5 of new" in found.message
    assert judge_gaps(np.full(10, 3.0), np.full(10, np.nan), rule).verdict == "undecided"


def test_a_level_has_one_direction() -> None:
    better_low, better_high = np.zeros(60), np.zeros(60)
    with pytest.raises(OptionError, match="higher SentBLEU is better, so a rule gives at_least, not at_most"):
        judge(better_high, Rule(metric="sentbleu", at_most=50))
    with pytest.raises(OptionError, match="the rule for wer gives at_least and at_most; give at_most"):
        judge(better_low, Rule(metric="wer", at_least=50, at_most=60))


def test_a_margin_of_zero_allows_no_loss() -> None:
    (found,) = judge(draw(3, 200), replace(MARGIN, not_worse=0.0))
    assert found.message.endswith("no loss is allowed")
