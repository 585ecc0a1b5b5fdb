"""COMET's checkpoints, with or without references, run by unbabel-comet."""

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tertium.errors import MissingExtraError, ResourceError
from tertium.files.extras import install_hint
from tertium.files.paths import show_path
from tertium.records import record
from tertium.resources.neural.offline import count_gpus, find_model, identify, offline
from tertium.values import FloatArray, TextKind, available_texts

_CHECKPOINT = "checkpoints/model.ckpt"
_SETTINGS = "hparams.yaml"


def load_comet(model: str) -> "CometCheckpoint":
    """Find a checkpoint of COMET in a folder or in the cache; it is loaded when the first segment is scored."""
    folder = find_model(model, _SETTINGS, extra="comet")
    if not (folder / _CHECKPOINT).is_file():
        raise ResourceError(f"{show_path(folder)} has no {_CHECKPOINT}, so it is not a checkpoint of COMET")
    return CometCheckpoint(folder, identify(folder, _CHECKPOINT))


@record(eq=False)
class CometCheckpoint:
    """A checkpoint of COMET; its settings say whether it reads references."""

    folder: Path
    identity: str

    @cached_property
    def reads(self) -> frozenset[TextKind]:
        """The source, and the references unless the model was trained for quality estimation."""
        settings = (self.folder / _SETTINGS).read_text(encoding="utf-8")
        kind = re.search(r"^class_identifier: *['\"]?(\w+)", settings, re.MULTILINE)
        segments = re.search(r"^input_segments:((?: *\n- *\w+| *\[.*\])+)", settings, re.MULTILINE)
        is_free = kind is not None and kind[1] == "referenceless_regression_metric"
        if segments is not None:  # unified models list what they read
            is_free = not re.search(r"\bref\b", segments[1])
        return available_texts(references=not is_free, source=True)

    def score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str] | None,
        sources: Sequence[str] | None,
        batch_size: int,
    ) -> FloatArray:
        """Score each hypothesis with its source and one reference."""
        samples = [{"mt": text} for text in hypotheses]
        for key, texts in (("ref", references), ("src", sources)):
            for sample, text in zip(samples, texts or (), strict=texts is not None):
                sample[key] = text
        with offline():
            found = self._model.predict(
                samples, batch_size=batch_size, gpus=count_gpus(), progress_bar=False, num_workers=0
            )
        return np.asarray(found.scores, dtype=np.float64)

    @cached_property
    def _model(self) -> Any:
        try:
            from comet import load_from_checkpoint  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise MissingExtraError(
                f"comet needs the package unbabel-comet: {install_hint('comet')} ({error})"
            ) from None
        with offline():
            try:
                return load_from_checkpoint(str(self.folder / _CHECKPOINT), local_files_only=True)
            except OSError as error:
                raise ResourceError(
                    f"{self.identity} cannot be loaded, because its encoder is not on this machine: run 'hf download'"
                    f" for the pretrained_model that {show_path(self.folder / _SETTINGS)} names"
                    f" ({str(error).splitlines()[0]})"
                ) from None
