"""Write an MPNet encoder as an ONNX model with all its hidden states, for `--vectors onnx:FOLDER#LAYER`.

    python tools/export_mpnet.py all-mpnet-base-v2 FOLDER

The first folder is a model in Hugging Face's format (config.json, model.safetensors, tokenizer.json). Only numpy and
onnx are needed.
"""

import json
import shutil
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper

OPSET = 20  # the first with Gelu
LONGEST = 512
FARTHEST = 128  # MPNet's relative_position_bucket: beyond it all distances are one
Weights = dict[str, np.ndarray]


class Graph:
    """A list of ONNX nodes in the order of computation; each method returns the name of its output."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}

    def add(self, operator: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        name = name or f"{operator}_{len(self.nodes)}"
        self.nodes.append(onnx.helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def constant(self, name: str, value: np.ndarray | None = None) -> str:
        self.constants[name] = self.weights[name] if value is None else np.asarray(value)
        return name

    def dense(self, x: str, name: str) -> str:
        matrix = self.constant(f"{name}.weight", np.ascontiguousarray(self.weights[f"{name}.weight"].T))
        return self.add("Add", self.add("MatMul", x, matrix), self.constant(f"{name}.bias"))

    def normalize(self, x: str, name: str, *, epsilon: float, out: str = "") -> str:
        scale, bias = self.constant(f"{name}.weight"), self.constant(f"{name}.bias")
        return self.add("LayerNormalization", x, scale, bias, name=out, axis=-1, epsilon=epsilon)


def read_weights(path: Path) -> Weights:
    """Read a safetensors file: the length of the header, the header, the numbers."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    body = memoryview(data)[8 + size :]
    return {
        name: np.frombuffer(body[slice(*each["data_offsets"])], dtype=np.float32).reshape(each["shape"])
        for name, each in header.items()
        if each.get("dtype") == "F32"
    }


def bucket_distances(n_buckets: int) -> np.ndarray:
    """Map the distance of every two positions to MPNet's buckets: one per small distance, logarithmic beyond."""
    places = np.arange(LONGEST)
    back = places[:, None] - places[None, :]
    half, exact = n_buckets // 2, n_buckets // 4
    away = np.abs(back)
    far = exact + np.log(np.maximum(away, 1) / exact) / np.log(FARTHEST / exact) * (half - exact)
    number = np.where(away < exact, away, np.minimum(far.astype(int), half - 1))
    return np.asarray(np.where(back < 0, half, 0) + number)


def build(weights: Weights, config: dict[str, int]) -> onnx.ModelProto:
    """Build embeddings and layers; the outputs are hidden_states_0 to that of the last layer."""
    graph, epsilon = Graph(weights), float(config["layer_norm_eps"])
    buckets = bucket_distances(config["relative_attention_num_buckets"])
    bias = weights["encoder.relative_attention_bias.weight"][buckets].transpose(2, 0, 1)[None]
    length = graph.add("Shape", "input_ids", start=1, end=2)
    zero, axes = graph.constant("zero", np.array([0])), graph.constant("axes", np.array([2, 3]))
    ends = graph.add("Concat", length, length, axis=0)
    starts = graph.constant("starts", np.array([0, 0]))
    near = graph.add("Slice", graph.constant("bias", np.ascontiguousarray(bias)), starts, ends, axes)
    table = weights["embeddings.position_embeddings.weight"][config["pad_token_id"] + 1 :]
    places = graph.add("Slice", graph.constant("places", table), zero, length, zero)
    words = graph.add("Gather", graph.constant("embeddings.word_embeddings.weight"), "input_ids")
    summed = graph.add("Add", words, places)
    x = graph.normalize(summed, "embeddings.LayerNorm", epsilon=epsilon, out="hidden_states_0")
    for n in range(config["num_hidden_layers"]):
        x = add_layer(graph, x, n, near, config)
    return finish(graph, config)


def add_layer(graph: Graph, x: str, n: int, bias: str, config: dict[str, int]) -> str:
    """Add one layer: attention with the bias of relative positions, and the dense part."""
    name, epsilon = f"encoder.layer.{n}", float(config["layer_norm_eps"])
    heads, width = config["num_attention_heads"], config["hidden_size"]
    split = graph.constant("split", np.array([0, 0, heads, width // heads]))
    joined = graph.constant("joined", np.array([0, 0, width]))
    parts = [graph.add("Reshape", graph.dense(x, f"{name}.attention.attn.{each}"), split) for each in "qkv"]
    q, v = (graph.add("Transpose", parts[i], perm=[0, 2, 1, 3]) for i in (0, 2))
    k = graph.add("Transpose", parts[1], perm=[0, 2, 3, 1])
    root = graph.constant("root", np.array(np.sqrt(width // heads), dtype=np.float32))
    scores = graph.add("Add", graph.add("Div", graph.add("MatMul", q, k), root), bias)
    mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), v)
    flat = graph.add("Reshape", graph.add("Transpose", mixed, perm=[0, 2, 1, 3]), joined)
    attended = graph.add("Add", graph.dense(flat, f"{name}.attention.attn.o"), x)
    y = graph.normalize(attended, f"{name}.attention.LayerNorm", epsilon=epsilon)
    wide = graph.add("Gelu", graph.dense(y, f"{name}.intermediate.dense"))
    whole = graph.add("Add", graph.dense(wide, f"{name}.output.dense"), y)
    return graph.normalize(whole, f"{name}.output.LayerNorm", epsilon=epsilon, out=f"hidden_states_{n + 1}")


def finish(graph: Graph, config: dict[str, int]) -> onnx.ModelProto:
    """Declare inputs and outputs. Texts of a batch have the same length, so no mask is needed."""
    shape = ["batch", "length"]
    ids = onnx.helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, shape)
    states = [
        onnx.helper.make_tensor_value_info(
            f"hidden_states_{n}", onnx.TensorProto.FLOAT, [*shape, config["hidden_size"]]
        )
        for n in reversed(range(config["num_hidden_layers"] + 1))
    ]
    constants = [onnx.numpy_helper.from_array(value, name) for name, value in graph.constants.items()]
    made = onnx.helper.make_graph(graph.nodes, "mpnet", [ids], states, constants)
    return onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", OPSET)], ir_version=9)


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    target.mkdir(parents=True, exist_ok=True)
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    onnx.save(build(read_weights(source / "model.safetensors"), config), target / "model.onnx")
    for name in ("config.json", "tokenizer.json"):
        shutil.copy(source / name, target / name)


if __name__ == "__main__":
    main()
