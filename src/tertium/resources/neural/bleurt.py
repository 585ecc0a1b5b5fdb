"""BLEURT's checkpoints, run by bleurt-pytorch."""

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from tertium.errors import MissingExtraError
from tertium.files.extras import install_hint
from tertium.records import record
from tertium.resources.neural.offline import (
    find_model,
    find_weights,
    identify,
    offline,
    place_model,
    run_batches,
)
from tertium.values import FloatArray, TextKind


def load_bleurt(model: str) -> "BleurtCheckpoint":
    """Find a checkpoint of BLEURT in a folder or in the cache; it is loaded when the first segment is scored."""
    folder = find_model(model, "config.json", extra="bleurt")
    return BleurtCheckpoint(folder, identify(folder, find_weights(folder)))


@record(eq=False)
class BleurtCheckpoint:
    """A checkpoint of BLEURT, converted for PyTorch."""

    folder: Path
    identity: str

    @property
    def reads(self) -> frozenset[TextKind]:
        """References."""
        return frozenset({"references"})

    def score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str] | None,
        sources: Sequence[str] | None,  # noqa: ARG002
        batch_size: int,
    ) -> FloatArray:
        """Score each hypothesis with one reference."""
        pairs = list(zip(references or (), hypotheses, strict=True))
        with offline():
            model, cutter = self._loaded
            return run_batches(partial(_predict, model, cutter), pairs, batch_size)

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        try:
            from bleurt_pytorch import (  # noqa: PLC0415 - an extra
                BleurtForSequenceClassification,
                BleurtTokenizer,
            )
        except ImportError as error:
            raise MissingExtraError(
                f"bleurt needs the package bleurt-pytorch: {install_hint('bleurt')} ({error})"
            ) from None
        return (
            place_model(BleurtForSequenceClassification.from_pretrained(self.folder)),
            BleurtTokenizer.from_pretrained(self.folder),
        )


def _predict(model: Any, cutter: Any, pairs: Sequence[tuple[str, str]]) -> Any:
    firsts, seconds = (list(texts) for texts in zip(*pairs, strict=True))
    longest = model.config.max_position_embeddings
    pieces = cutter(
        firsts, seconds, padding="longest", truncation=True, max_length=longest, return_tensors="pt"
    )
    return model(**pieces.to(model.device)).logits.flatten()
