"""Options whose defaults depend on the kind of word vectors."""

import pytest

from reference.vectors import MadeUpVectors
from tertium.catalog import Providers, parse_signature, read_signature
from tertium.catalog.building import build_metric
from tertium.catalog.labels import format_label
from tertium.interfaces import VectorKind, WordVectors
from tertium.metrics.base import Metric
from tertium.metrics.embedding.std import STD


class KnownVectors(MadeUpVectors):
    """Made-up vectors that say what they are like."""

    def __init__(self, kind: VectorKind) -> None:
        super().__init__()
        self.kind = kind


def build(name: str, kind: VectorKind, **options: object) -> Metric:
    return build_metric(name, options, {WordVectors: lambda: KnownVectors(kind)})


@pytest.mark.parametrize("kind", ["contextual", "english"])
def test_std_moves_occurrences_by_rarity_with_vectors_of_which_that_is_known_to_help(
    kind: VectorKind,
) -> None:
    metric = STD(vectors=KnownVectors(kind))
    assert (metric.units, metric.mass, metric.order_weight) == ("occurrences", "idf", 0.2)


@pytest.mark.parametrize("vectors", [MadeUpVectors(), KnownVectors("static")])
def test_std_is_the_authors_program_with_a_vector_per_word(vectors: WordVectors) -> None:
    metric = STD(vectors=vectors)
    assert (metric.units, metric.mass, metric.order_weight) == ("types", "nsim", 0.4)


def test_an_option_that_is_given_goes_before_the_vectors() -> None:
    metric = STD(vectors=KnownVectors("contextual"), mass="nbow", order_weight=0.4)
    assert (metric.units, metric.mass, metric.order_weight) == ("occurrences", "nbow", 0.4)


def test_the_signature_shows_what_the_vectors_chose() -> None:
    signature = build("std", "contextual").signature((1, 1))
    assert "|mass:idf|units:occurrences|order_weight:0.2|" in signature
    assert "order_weight" not in build("std", "static").signature((1, 1))


@pytest.mark.parametrize("options", [{}, {"order_weight": 0.4}, {"mass": "nsim", "units": "types"}])
@pytest.mark.parametrize("kind", ["static", "contextual"])
def test_a_signature_gives_the_same_metric_back(kind: VectorKind, options: dict[str, object]) -> None:
    metric = build("std", kind, **options)
    providers: Providers = {WordVectors: lambda: metric.vectors}  # type: ignore[attr-defined]
    assert read_signature(metric.signature((1, 1)), providers) == metric
    made = parse_signature(metric.signature((1, 1)), providers)
    assert made.metric == metric


def test_a_label_names_what_differs_from_the_vectors_own_defaults() -> None:
    assert format_label(build("std", "contextual")) == "std"
    assert format_label(build("std", "contextual", order_weight=0.4)) == "std:order_weight=0.4"
    assert format_label(build("std", "static", order_weight=0.2)) == "std:order_weight=0.2"


@pytest.mark.parametrize(
    ("name", "static", "english", "contextual"),
    [
        ("bleu_modif", 0.1, 0.75, 0.75),
        ("was", 0.0, 0.5, 0.7),
        ("mas", 0.0, 0.33, 0.0),
        ("has", 0.0, 0.1, 0.0),
    ],
)
def test_a_threshold_belongs_to_its_vectors(
    name: str, static: float, english: float, contextual: float
) -> None:
    kinds: dict[VectorKind, float] = {"static": static, "english": english, "contextual": contextual}
    for kind, threshold in kinds.items():
        assert f"|threshold:{threshold:g}|" in build(name, kind).signature((1, 1)), kind


def test_batches_are_small_where_every_occurrence_has_a_vector() -> None:
    assert STD(vectors=KnownVectors("contextual")).most_segments == 2000
    assert STD(vectors=KnownVectors("static")).most_segments is None
