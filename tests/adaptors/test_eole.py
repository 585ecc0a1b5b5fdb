"""A metric registered in eole is a scorer with the digits of one call."""

import types
from collections.abc import Callable
from typing import Any

import pytest

import tertium
from tertium.adaptors import eole as adaptor
from tertium.errors import UnknownNameError

HYPOTHESES = ["the cat sat on the mat", "a dog sat"]
REFERENCES = ["the cat sat on a mat", "the dog sat"]


class Scorer:
    """The interface that the scorers of eole and OpenNMT-py share."""

    def __init__(self, config: object) -> None:
        self.config = config


def scorers() -> Any:
    registered: dict[str, type] = {}

    def register_scorer(metric: str) -> Callable[[type], type]:
        return lambda cls: registered.setdefault(metric, cls)

    return types.SimpleNamespace(Scorer=Scorer, register_scorer=register_scorer, registered=registered)


def test_a_registered_metric_scores_all_segments() -> None:
    package = scorers()
    made = adaptor.register("chrf", package)
    assert package.registered == {"CHRF": made}
    scorer = made({"an": "option"})
    expected = tertium.score(HYPOTHESES, REFERENCES, "chrf")["chrf"]["system"].value
    assert scorer.compute_score(HYPOTHESES, REFERENCES) == expected
    assert scorer.compute_score([], []) == 0
    with pytest.raises(UnknownNameError):
        adaptor.register("blue", package)


@pytest.mark.slow
def test_eole_builds_the_scorer() -> None:
    package = pytest.importorskip("eole.scorers", reason="eole is not installed (workflow frameworks)")
    adaptor.register("chrf", package, name="TERTIUM_CHRF")
    classes = package.get_scorers_cls(["TERTIUM_CHRF"])
    built = package.build_scorers({}, classes)
    expected = tertium.score(HYPOTHESES, REFERENCES, "chrf")["chrf"]["system"].value
    assert built["TERTIUM_CHRF"]["scorer"].compute_score(HYPOTHESES, REFERENCES) == expected
