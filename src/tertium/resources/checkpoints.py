"""Checkpoints of neural metrics on this machine: COMET, BLEURT and MetricX, run without the network."""

import logging
import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from tertium.consent import check_consent
from tertium.errors import MissingExtraError, ResourceError
from tertium.files.extras import install_hint
from tertium.files.paths import is_file, is_folder, show_path
from tertium.files.reading import checksum_file
from tertium.records import record
from tertium.values import FloatArray, TextKind, available_texts

_NOISY = ("pytorch_lightning", "lightning", "lightning.pytorch", "comet", "transformers")


@contextmanager
def offline() -> Iterator[None]:
    """Forbid downloads and silence the messages of the libraries."""
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    before = {name: os.environ.get(name) for name in names}
    levels = {name: logging.getLogger(name).level for name in _NOISY}
    os.environ.update(dict.fromkeys(names, "1"))
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def find_model(model: str, marker: str, *, extra: str) -> Path:
    """Find the folder of a model: a path, or a name such as `Unbabel/wmt22-comet-da` in the cache of Hugging Face.

    Parameters
    ----------
    marker
        A file that the folder must have.
    extra
        The extra that brings the libraries.

    Raises
    ------
    ResourceError
        If the model is not on this machine; the message says how to download it.
    """
    if is_folder(model):
        check_consent(f"the checkpoint {show_path(model)}")  # PyTorch may unpickle it
    folder = Path(model) if is_folder(model) else find_in_cache(model, extra)
    if folder is None:
        raise ResourceError(
            f"the model {show_path(model)} is not on this machine, and Tertium downloads nothing: run 'hf download"
            f" {show_path(model)}', or give the path of its folder"
        )
    if not is_file(folder / marker):
        raise ResourceError(f"{show_path(folder)} has no {marker}, so it is not a model of this kind")
    return folder


def find_in_cache(model: str, extra: str) -> Path | None:
    """Find a model in the cache of Hugging Face; None if it is missing."""
    try:
        from huggingface_hub import snapshot_download  # noqa: PLC0415 - an extra
        from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError(
            f"the model {show_path(model)} needs its packages: {install_hint(extra)}"
        ) from None
    try:
        return Path(snapshot_download(model, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError, OSError):
        return None


def identify(folder: Path, weights: str) -> str:
    """Name a model by its folder and the checksum of its weights."""
    name = folder.name
    if folder.parent.name == "snapshots":  # models--Unbabel--wmt22-comet-da/snapshots/COMMIT
        name = folder.parent.parent.name.rpartition("--")[2]
    return f"{name}[{checksum_file(folder / weights)[:8]}]"


def find_weights(folder: Path) -> str:
    """Return the name of the file that has the weights, or the first of several."""
    for name in ("model.safetensors", "pytorch_model.bin"):
        for file in (name, f"{name}.index.json"):
            if is_file(folder / file):
                return file
    raise ResourceError(f"{show_path(folder)} has no model.safetensors and no pytorch_model.bin")


def place_model(model: Any) -> Any:
    """Move a model of transformers to the GPU if there is one, and prepare it for scoring."""
    return model.to("cuda" if count_gpus() else "cpu").eval()


def run_batches(predict: Callable[[Sequence[Any]], Any], items: Sequence[Any], size: int) -> FloatArray:
    """Compute the scores of all items, a batch at a time; items of similar length share a batch."""
    import torch  # noqa: PLC0415 - an extra

    order = sorted(range(len(items)), key=lambda i: len("".join(items[i])))
    scores = np.empty(len(items))
    with torch.no_grad():
        for start in range(0, len(order), size):
            places = order[start : start + size]
            scores[places] = predict([items[i] for i in places]).float().cpu().numpy()
    return scores


def count_gpus() -> int:
    """Return 1 if there is a GPU, otherwise 0."""
    import torch  # noqa: PLC0415 - an extra

    return int(torch.cuda.is_available())


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
            return run_batches(partial(_rate_pairs, model, cutter), pairs, batch_size)

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


def _rate_pairs(model: Any, cutter: Any, pairs: Sequence[tuple[str, str]]) -> Any:
    firsts, seconds = (list(texts) for texts in zip(*pairs, strict=True))
    longest = model.config.max_position_embeddings
    pieces = cutter(
        firsts, seconds, padding="longest", truncation=True, max_length=longest, return_tensors="pt"
    )
    return model(**pieces.to(model.device)).logits.flatten()


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
            return run_batches(partial(_rate_prompts, model, cutter), hypotheses, batch_size)

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


def _rate_prompts(model: Any, cutter: Any, prompts: Sequence[str]) -> Any:
    import torch  # noqa: PLC0415 - an extra

    cut = [cutter(prompt, max_length=_LONGEST, truncation=True)["input_ids"][:-1] for prompt in prompts]
    pieces = cutter.pad({"input_ids": cut}, return_tensors="pt").to(model.device)
    start = torch.zeros((len(prompts), 1), dtype=torch.long, device=model.device)
    return model(**pieces, decoder_input_ids=start).logits[:, 0, _SCORE_PIECE].clamp(0, _WORST)
