"""A weighted sum of metrics equals the sum of its parts, wherever it is computed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.toy_resources import TOY_PROVIDERS
from tertium import open_run, score
from tertium.catalog import build_metric, parse_metrics, self_contained_names
from tertium.catalog.building import change_metric
from tertium.catalog.finding import split_sum
from tertium.errors import OptionError, TertiumError
from tertium.evaluation.evaluation import SegmentBatch, compute_statistics
from tertium.metrics import BLEU, NIST, TER, WER, ChrF, Mix
from tertium.metrics.base import Parts
from tertium.text import References, Texts

OUTPUTS = ["the cat sat on the mat", "a dog barked", "it rained all day long", "nothing here"]
REFERENCES = ["the cat is on the mat", "the dog barked loudly", "it rained the whole day", "empty words"]


def segment_scores(metric: Mix) -> list[float]:
    return [metric.sentence_score(a, [b], source=b).value for a, b in zip(OUTPUTS, REFERENCES, strict=True)]


@pytest.mark.parametrize("name", self_contained_names())
def test_a_mix_with_one_part_of_weight_1_is_the_part(name: str) -> None:
    part = build_metric(name, {}, TOY_PROVIDERS)
    mix = Mix(Parts((part,)), (1.0,))
    batch = SegmentBatch([[text] for text in REFERENCES], [OUTPUTS], REFERENCES)
    references = References(batch.references)
    part, mix = part.fit(references), mix.fit(references)
    (alone,), (whole,) = compute_statistics(batch, [part])[0], compute_statistics(batch, [mix])[0]
    np.testing.assert_array_equal(mix.segment_scores(whole), part.segment_scores(alone))
    np.testing.assert_array_equal(mix.combine(whole.sum(axis=0)), part.combine(alone.sum(axis=0)))
    facts = ("higher_is_better", "bounded", "reads", "perfect_from")
    for fact in (*facts, *(("best", "worst") if part.bounded else ())):
        assert getattr(mix, fact) == getattr(part, fact), fact


@settings(max_examples=30, deadline=None)
@given(
    weights=st.lists(st.floats(0, 10), min_size=3, max_size=3).filter(any),
    texts=st.lists(
        st.tuples(st.text("ab c", max_size=20), st.text("ab c", max_size=20)), min_size=1, max_size=5
    ),
)
def test_a_mix_is_the_weighted_sum_of_its_parts(weights: list[float], texts: list[tuple[str, str]]) -> None:
    outputs, references = [a for a, _ in texts], [[b for _, b in texts]]
    parts = (BLEU(), ChrF(), TER())
    mix = Mix(Parts(parts), tuple(weights))
    by_part = [part.corpus_score(outputs, references, orientation="streams").value for part in parts]
    found = mix.corpus_score(outputs, references, orientation="streams")
    assert mix.higher_is_better
    turned = [by_part[0], by_part[1], 100 - by_part[2]]
    assert found.value == pytest.approx(float(np.dot(weights, turned)), abs=1e-9)
    assert found.details == {
        "bleu": pytest.approx(by_part[0]), "chrf": pytest.approx(by_part[1]), "ter": pytest.approx(by_part[2])
    }  # fmt: skip


def test_parts_that_are_all_better_when_lower_stay_so() -> None:
    mix = Mix(Parts((TER(), WER())), (0.25, 0.75))
    assert not mix.higher_is_better
    assert (mix.best, mix.worst) == (0, 100)
    expected = [0.25 * TER().sentence_score(a, [b]).value + 0.75 * WER().sentence_score(a, [b]).value
                for a, b in zip(OUTPUTS, REFERENCES, strict=True)]  # fmt: skip
    assert segment_scores(mix) == pytest.approx(expected)


def test_a_mix_with_an_unbounded_part_is_unbounded() -> None:
    mix = Mix(Parts((NIST(), TER())), (1.0, 1.0))
    assert not mix.bounded
    assert mix.higher_is_better
    learnt = mix.corpus_score(OUTPUTS, [REFERENCES], orientation="streams")
    nist = NIST().corpus_score(OUTPUTS, [REFERENCES], orientation="streams").value
    ter = TER().corpus_score(OUTPUTS, [REFERENCES], orientation="streams").value
    assert learnt.value == pytest.approx(nist + 100 - ter)


def test_counts_of_parts_of_the_references_are_merged() -> None:
    mix = Mix(Parts((NIST(), BLEU())))
    halves = [mix.learn(References([[text] for text in part])) for part in (REFERENCES[:2], REFERENCES[2:])]
    assert halves[0] is not None
    assert halves[1] is not None
    whole = References([[text] for text in REFERENCES])
    merged, fitted = mix.fit_learnt(halves[0].merge(halves[1])), mix.fit(whole)
    batch = SegmentBatch([[text] for text in REFERENCES], [OUTPUTS])
    np.testing.assert_array_equal(
        compute_statistics(batch, [merged])[0], compute_statistics(batch, [fitted])[0]
    )
    assert Mix(Parts((BLEU(), ChrF()))).learn(whole) is None


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("0.5*chrf+0.5*std", [("0.5", "chrf"), ("+0.5", "std")]),
        ("1*chrf+++2*bleu", [("1", "chrf++"), ("+2", "bleu")]),
        (".5*chrf + 1e-3*bleu", [(".5", "chrf"), ("+1e-3", "bleu")]),
        ("1*bleu:smooth_value=0.1,lowercase=yes+2*ter", [("1", "bleu:smooth_value=0.1,lowercase=yes"), ("+2", "ter")]),
        ("chrf+0.5*std", [("", "chrf"), ("+0.5", "std")]),
    ],
)  # fmt: skip
def test_sums_are_split_at_their_weights(text: str, parts: list[tuple[str, str]]) -> None:
    assert split_sum(text) == parts


def test_a_label_gives_parts_their_options() -> None:
    label = "mix:0.25*chrf++:beta=3,word_order=1+0.75*bleu:lowercase=yes"
    first, second = parse_metrics([f"{label},wer"])
    assert (first.label, second.label) == (label, "wer")
    assert first.metric == Mix(Parts((ChrF(beta=3, word_order=1), BLEU(lowercase=True))), (0.25, 0.75))


def test_the_signature_contains_all_parts_and_builds_the_mix_again() -> None:
    (made,) = parse_metrics(["mix:0.25*chrf+0.75*bleu:lowercase=yes"])
    signature = made.metric.signature((1, 1))
    assert "chrf;case:mixed;eff:yes;nc:6;nw:0;space:no&bleu;case:lc;" in signature
    assert "|weights:0.25/0.75|" in signature
    (again,) = parse_metrics([signature])
    assert again.metric == made.metric
    assert again.label == made.label


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("mix", "needs metrics with weights: write mix:0.5"),
        ("mix:chrf+bleu", "'chrf\\+bleu' needs a weight|chrf\\+bleu needs a weight"),
        ("mix:0.5*chrf-0.5*ter", "at least 0"),
        ("mix:0*chrf+0*ter", "all weights are 0"),
        ("mix:0.5*chrf+0.5*chrf", "chrf is given twice"),
        ("mix:0.5*chrf+0.5*nosuch", "unknown metric 'nosuch'"),
        ("mix:0.5*chrf+0.5*mix:1*bleu", "cannot be a mix itself|given a weight|needs a weight"),
        ("mix:0.5*chrf+0.5*", "needs a weight and a metric"),
        ("mix:1e999*chrf", "number"),
    ],
)
def test_a_wrong_label_is_explained(label: str, message: str) -> None:
    with pytest.raises(TertiumError, match=message):
        parse_metrics([label])


def test_wrong_parts_and_weights_are_explained() -> None:
    with pytest.raises(OptionError, match="3 weights for 2 metrics"):
        Mix(Parts((BLEU(), ChrF())), (1.0, 2.0, 3.0))
    with pytest.raises(OptionError, match="cannot be a mix itself"):
        Mix(Parts((Mix(Parts((BLEU(),))),)))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ('"chrf"', "parts must be a list of metrics"),
        ('["chrf", 3]', "parts must be a list of metrics"),
        ('["chrf", "command:./judge.sh"]', "must not run code"),
        ('["./metric.py:Mine"]', "must not run code"),
    ],
)
def test_a_file_with_wrong_parts_is_refused(tmp_path: Path, parts: str, message: str) -> None:
    path = tmp_path / "mix.toml"
    path.write_text(f'metric = "mix"\n[options]\nparts = {parts}\nweights = [1.0]\n')
    with pytest.raises(TertiumError, match=message):
        parse_metrics([f"mix@{path}"])


def test_a_run_keeps_a_mix(tmp_path: Path) -> None:
    labels = ["mix:0.5*chrf+0.5*ter", "chrf", "ter"]
    made = score({"a": OUTPUTS, "b": REFERENCES[::-1]}, [REFERENCES], metrics=labels)
    made.save(tmp_path / "mix.run")
    read = open_run(tmp_path / "mix.run")
    ours, theirs = made.evaluation.system_scores(labels[0]), read.evaluation.system_scores(labels[0])
    np.testing.assert_array_equal(ours, theirs)
    chrf, ter = (made.evaluation.system_scores(label) for label in labels[1:])
    np.testing.assert_allclose(ours, 0.5 * chrf + 0.5 * (100 - ter))


def test_changed_weights_need_no_new_count() -> None:
    mix = Mix(Parts((BLEU(), ChrF())))
    changed = change_metric(mix, {"weights": (1.0, 0.0)})
    assert changed == replace(mix, weights=(1.0, 0.0))
    assert segment_scores(mix) != segment_scores(Mix(Parts((BLEU(), ChrF())), (1.0, 0.0)))


def test_an_explanation_shows_what_each_part_adds() -> None:
    told = Mix(Parts((ChrF(), TER())), (0.5, 0.5)).explain("a cat", ["a dog"])
    assert told.steps[1] == "ter: 0.5 × 50.00 = 25.00 (ter is better when lower: 50.00)"
    assert told.score == pytest.approx(0.5 * ChrF().sentence_score("a cat", ["a dog"]).value + 25)
    told = Mix(Parts((ChrF(), TER())), (0.5, 0.5)).explain("a cat sat", ["a dog"])
    assert told.steps[1] == "ter: 0.5 × 0.00 = 0.00 (ter is better when lower: 100.00)"


def test_part_scores_are_those_of_the_parts() -> None:
    mix, references = Mix(Parts((WER(), TER()))), References([[text] for text in REFERENCES])
    rows = mix.statistics(Texts(OUTPUTS, references.vocabulary), references)
    expected = [
        [part.sentence_score(a, [b]).value for a, b in zip(OUTPUTS, REFERENCES, strict=True)]
        for part in (WER(), TER())
    ]
    np.testing.assert_allclose(mix.part_scores(rows), expected)


def test_a_sum_of_no_segments_has_no_score() -> None:
    mix = Mix(Parts((WER(), TER())))
    totals = np.zeros(7)
    assert np.isnan(mix.combine(totals))
    assert mix.count_scores(totals) is None
    assert mix.details(totals) == {}
    assert np.isnan(mix.part_scores(totals[None])).all()


def test_statistics_of_other_metrics_are_rejected() -> None:
    with pytest.raises(ValueError, match="the statistics are not those of the parts"):
        Mix(Parts((WER(), TER()))).combine(np.array([2.0, 2.0, 1.0, 5.0]))


def test_a_mix_names_what_its_parts_lack() -> None:
    meteor = build_metric("meteor", {}, TOY_PROVIDERS)
    assert Mix(Parts((BLEU(),))).missing() is None
    lacking = change_metric(meteor, {"paraphrases": None})
    assert Mix(Parts((BLEU(), lacking))).missing() == lacking.missing() is not None


def test_a_mix_learns_from_references_if_a_part_does() -> None:
    assert Mix(Parts((NIST(), BLEU()))).learns_from_references
    assert not Mix(Parts((ChrF(), BLEU()))).learns_from_references
