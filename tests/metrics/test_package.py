"""`tertium.metrics` as a package: classes by name, imported late, and visible to type checkers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tertium.metrics
from tertium.catalog import families, find_metric

CLASSES = {find_metric(name).__name__: find_metric(name) for name in families()}
SOURCE = Path(tertium.metrics.__file__)


@pytest.mark.parametrize("name", CLASSES)
def test_every_metric_can_be_imported_by_its_class(name: str) -> None:
    assert getattr(tertium.metrics, name) is CLASSES[name]
    assert name in tertium.metrics.__all__
    assert name in dir(tertium.metrics)


def test_type_checkers_see_every_metric() -> None:
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        name.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    assert seen == {name: cls.__module__ for name, cls in CLASSES.items()}


@pytest.mark.parametrize("name", ["Bleu", "bleu", "Nothing", "_Hidden"])
def test_other_names_are_attribute_errors(name: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
        getattr(tertium.metrics, name)


def test_one_metric_does_not_import_the_others() -> None:
    code = "import sys; from tertium.metrics import WER; print('tertium.metrics.embedding' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
