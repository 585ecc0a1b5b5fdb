"""The preset that a search writes."""

from pathlib import Path

import pytest

from tertium.catalog import parse_label
from tertium.commands.meta.tune import TuneRequest, TuneResult
from tertium.metaeval.data import JudgedData
from tertium.tuning.trials import Outcome, Trial


@pytest.mark.parametrize(
    ("metric", "vectors", "wanted"),
    [
        ("mas", None, {}),
        ("mas@english", None, {"vectors": "english"}),
        ("mas@english", "contextual", {"vectors": "contextual"}),
        ("mas", "contextual", {"vectors": "contextual"}),
    ],
)
def test_a_tuned_preset_names_the_vectors_it_was_found_with(
    metric: str, vectors: str | None, wanted: dict[str, str], tmp_path: Path
) -> None:
    request = TuneRequest(data=JudgedData(folder="x"), metric=metric, vectors=vectors)
    outcome = Outcome("mas", {}, Trial({"threshold": 0.4}, {}), "segment:pearson", "grid", 1, None)
    path = tmp_path / "mine.toml"
    path.write_text(TuneResult(request, outcome).render_preset(), encoding="utf-8")
    named = parse_label(f"mas@{path}")
    assert dict(named.resources) == wanted
    assert named.options == {"threshold": 0.4}


def test_a_preset_that_names_other_resources_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('metric = "mas"\n[options]\n[resources]\ntrees = "x"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="a preset cannot set 'trees'"):
        parse_label(f"mas@{path}")


@pytest.mark.parametrize(
    ("metric", "shown"),
    [
        ("redp", "redp:two=0.3"),
        ("redp@paper", "redp@paper:two=0.3"),
        ("redp@paper:two=0.5,recall=weighed", "redp@paper:recall=weighed,two=0.3"),
    ],
)
def test_an_outcome_is_shown_as_the_metric_that_was_named_with_its_best_options(
    metric: str, shown: str
) -> None:
    request = TuneRequest(data=JudgedData(folder="x"), metric=metric)
    fixed = {name: value for name, value in parse_label(metric).options.items() if name != "two"}
    outcome = Outcome("redp", fixed, Trial({"two": 0.3}, {}), "segment:pearson", "grid", 1, None)
    result = TuneResult(request, outcome)
    assert result.document().tables[0].title == shown
    assert parse_label(shown).options == outcome.options
