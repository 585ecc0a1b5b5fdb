"""Shared by all neural models: finding a model on this machine, and running libraries without the network."""

import logging
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tertium.consent import check_consent
from tertium.errors import MissingExtraError, ResourceError
from tertium.files.extras import install_hint
from tertium.files.paths import is_file, is_folder, show_path
from tertium.files.reading import checksum_file
from tertium.values import FloatArray

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
        for each in (name, f"{name}.index.json"):
            if is_file(folder / each):
                return each
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
