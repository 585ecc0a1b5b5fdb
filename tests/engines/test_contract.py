"""What every engine promises: each item's result once, errors as they were raised, the same digits."""

from functools import partial

import numpy as np
import pytest

from tertium.catalog import parse_metrics
from tertium.corpus import read_corpus
from tertium.corpus.texts.streaming import plan_texts
from tertium.engines import evaluate
from tertium.engines.engine import Engine
from tertium.engines.pipeline import compute_scores, plan_files
from tertium.errors import InputError
from tertium.evaluation.evaluation import Evaluation


def add(one: int, other: int) -> int:
    return one + other


def add_size(data: bytes, item: int) -> int:
    return len(data) + item


def refuse(item: int) -> int:
    if item == 3:
        raise InputError(f"item {item} cannot be read; make it again")
    return item


def test_every_item_has_its_result(engine: Engine) -> None:
    assert dict(engine.map(partial(add, 5), range(30))) == {i: i + 5 for i in range(30)}


def test_a_function_may_hold_much_data(engine: Engine) -> None:
    """As that of metrics that learnt from all references, which Dask's workers receive from each other."""
    assert dict(engine.map(partial(add_size, bytes(300_000)), range(9))) == {i: 300_000 + i for i in range(9)}


def test_no_items_give_no_results(engine: Engine) -> None:
    assert list(engine.map(partial(add, 5), [])) == []


def test_an_error_reaches_the_caller_as_it_was_raised(engine: Engine) -> None:
    with pytest.raises(InputError, match="item 3 cannot be read; make it again"):
        list(engine.map(refuse, range(8)))


def test_an_engine_goes_on_after_an_error(engine: Engine) -> None:
    with pytest.raises(InputError):
        list(engine.map(refuse, [3]))
    assert dict(engine.map(partial(add, 1), [1])) == {0: 2}


def test_results_that_nobody_wants_any_more_are_given_up(engine: Engine) -> None:
    results = engine.map(partial(add, 1), range(100))
    next(results)
    del results
    assert dict(engine.map(partial(add, 1), [1])) == {0: 2}


@pytest.mark.parametrize("part_size", [7, 40])
def test_parts_give_the_tables_of_the_whole(
    engine: Engine, corpus_files: dict[str, str], part_size: int
) -> None:
    labels = "bleu,ter,nist"
    systems: list[tuple[str | None, str]] = [(None, corpus_files["a"]), (None, corpus_files["b"])]
    whole = evaluate(read_corpus([corpus_files["ref"]], systems), parse_metrics([labels]))
    plan = plan_files(engine, plan_texts([corpus_files["ref"]], systems), part_size=part_size)
    found, _ = compute_scores(engine, plan, parse_metrics([labels]), threads=1)
    assert isinstance(found, Evaluation)
    assert found.systems == whole.systems == ("a", "b")
    assert found.n_references == whole.n_references
    for label in whole.labels:
        np.testing.assert_array_equal(found.tables[label], whole.tables[label])
