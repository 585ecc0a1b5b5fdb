"""The torchmetrics adaptor adds its sums over processes and has the digits of one call."""

import pickle
from copy import deepcopy
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (workflow frameworks)")
pytest.importorskip("torchmetrics", reason="torchmetrics is not installed (workflow frameworks)")

import tertium  # noqa: E402
from tertium.adaptors.torchmetrics import TranslationScores  # noqa: E402

pytestmark = pytest.mark.slow
HYPOTHESES = ["the cat sat on the mat", "a dog barked at it", "it sat", "the dog"] * 8
REFERENCES = ["the cat sat on a mat", "a dog barked at me", "it was sat on", "a dog"] * 8
METRICS = "bleu,chrf,ter,beer"


def at_once() -> dict[str, float]:
    found = tertium.score(HYPOTHESES, REFERENCES, METRICS)
    return {label: found[label]["system"].value for label in METRICS.split(",")}


def values(found: dict[str, Any]) -> dict[str, float]:
    return {label: tensor.item() for label, tensor in found.items()}


def test_batches_have_the_digits_of_one_call() -> None:
    metric = TranslationScores(METRICS)
    for start in range(0, 32, 5):
        metric(HYPOTHESES[start : start + 5], REFERENCES[start : start + 5])
    assert values(metric.compute()) == at_once()
    assert (
        values(deepcopy(metric).compute())
        == values(pickle.loads(pickle.dumps(metric)).compute())
        == at_once()
    )
    metric.reset()
    metric.update(["a b"], [["a b", "c"]])
    assert (
        metric.compute()["bleu"].item()
        == tertium.score(["a b"], [["a b", "c"]], "bleu", orientation="segments")["bleu"]["system"].value
    )


def _be_rank(rank: int, n_ranks: int, store: str, results: str) -> None:
    torch.distributed.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=n_ranks)
    metric = TranslationScores(METRICS)
    metric.update(HYPOTHESES[rank::n_ranks], REFERENCES[rank::n_ranks])
    found = values(metric.compute())
    with open(f"{results}.{rank}", "wb") as file:  # noqa: PTH123
        pickle.dump(found, file)
    torch.distributed.destroy_process_group()


def test_processes_add_their_sums(tmp_path: Any) -> None:
    torch.multiprocessing.spawn(_be_rank, (3, str(tmp_path / "store"), str(tmp_path / "found")), nprocs=3)
    assert [pickle.loads((tmp_path / f"found.{rank}").read_bytes()) for rank in range(3)] == [at_once()] * 3
