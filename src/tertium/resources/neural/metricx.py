"""MetricX's checkpoints, run by transformers: an mT5 whose first output is a score."""

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

from tertium.errors import MissingExtraError, ResourceError
from tertium.files.extras import install_hint
from tertium.files.paths import is_file, show_path
from tertium.records import record
from tertium.resources.neural.offline import (
    find_in_cache,
    find_model,
    find_weights,
    identify,
    offline,
    place_model,
    run_batches,
)
from tertium.values import FloatArray, TextKind

# Google's program reads the score from the logit of <extra_id_10>, clips it to 0..25, and leaves out the end mark.
_SCORE_PIECE: Final = 250_089
_WORST: Final = 25.0
_LONGEST: Final = 1536  # pieces
# Google's checkpoints have no tokenizer; all sizes of mT5 have the same one.
_TOKENIZER: Final = "spiece.model"
_OWNERS: Final = (
    "google/mt5-xl",
    "google/mt5-large",
    "google/mt5-xxl",
    "google/mt5-base",
    "google/mt5-small",
)


def load_metricx(model: str) -> "MetricXCheckpoint":
    """Find a checkpoint of MetricX in a folder or in the cache; it is loaded when the first segment is scored."""
    folder = find_model(model, "config.json", extra="metricx")
    return MetricXCheckpoint(folder, identify(folder, find_weights(folder)), _find_tokenizer(folder))


def _find_tokenizer(folder: Path) -> Path:
    if any(is_file(folder / name) for name in (_TOKENIZER, "tokenizer.json")):
        return folder
    for owner in _OWNERS:
        found = find_in_cache(owner, "metricx")
        if found is not None and is_file(found / _TOKENIZER):
            return found
    raise ResourceError(
        f"{show_path(folder)} has no tokenizer, and mT5's is not on this machine: run 'hf download google/mt5-xl"
        f" {_TOKENIZER} config.json tokenizer_config.json special_tokens_map.json'"
    )


@record(eq=False)
class MetricXCheckpoint:
    """A checkpoint of MetricX, which scores prompts: the metric puts all texts of a segment into one."""

    folder: Path
    identity: str
    tokenizer: Path

    @property
    def reads(self) -> frozenset[TextKind]:
        """Nothing besides the prompts."""
        return frozenset()

    def score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str] | None,  # noqa: ARG002
        sources: Sequence[str] | None,  # noqa: ARG002
        batch_size: int,
    ) -> FloatArray:
        """Score each prompt, from 0 (best) to 25."""
        with offline():
            model, cutter = self._loaded
            return run_batches(partial(_predict, model, cutter), hypotheses, batch_size)

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        try:
            import torch  # noqa: F401, PLC0415 - an extra
            from transformers import AutoTokenizer, MT5ForConditionalGeneration  # noqa: PLC0415
        except ImportError as error:
            raise MissingExtraError(
                f"metricx needs the package transformers: {install_hint('metricx')} ({error})"
            ) from None
        return (
            place_model(MT5ForConditionalGeneration.from_pretrained(self.folder)),
            AutoTokenizer.from_pretrained(self.tokenizer, trust_remote_code=False),
        )


def _predict(model: Any, cutter: Any, prompts: Sequence[str]) -> Any:
    import torch  # noqa: PLC0415 - an extra

    cut = [cutter(prompt, max_length=_LONGEST, truncation=True)["input_ids"][:-1] for prompt in prompts]
    pieces = cutter.pad({"input_ids": cut}, return_tensors="pt").to(model.device)
    start = torch.zeros((len(prompts), 1), dtype=torch.long, device=model.device)
    return model(**pieces, decoder_input_ids=start).logits[:, 0, _SCORE_PIECE].clamp(0, _WORST)
