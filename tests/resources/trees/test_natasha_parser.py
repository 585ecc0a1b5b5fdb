"""Russian trees from natasha, if it is installed; any predicted heads become a tree."""

import importlib.util
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import MissingExtraError
from tertium.resources.trees import installed_parsers, load_parser
from tertium.resources.trees.installed_parsers import untangle_heads
from tertium.text import Texts


def roots_above(heads: list[int], token: int) -> int:
    """Follow the heads to the root, for as many steps as there are tokens."""
    for _ in heads:
        if heads[token] == -1:
            break
        token = heads[token]
    return token


@given(st.lists(st.integers(-1, 7), min_size=8, max_size=8))
def test_any_heads_become_a_tree(heads: list[int]) -> None:
    tree = untangle_heads(heads)
    assert tree.count(-1) == 1
    root = tree.index(-1)
    assert all(roots_above(tree, token) == root for token in range(8))


@given(st.permutations(range(6)))
def test_a_tree_stays_as_it_is(order: list[int]) -> None:
    heads = [-1] * 6
    for place, token in enumerate(order[1:], start=1):
        heads[token] = order[place // 2]
    assert untangle_heads(heads) == heads


def test_without_it_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="pip install natasha"):
        load_parser("natasha")


def test_russian_has_trees_over_our_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("slovnet")
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", str(tmp_path))
    parser = load_parser(None, "ru")
    assert next(installed_parsers.installed_models("ru")) == "natasha"
    tokens = Texts(["Он вчера купил новую машину .", "", "🙂", "а . б . в"]).tokens("13a")
    trees = parser.parse(tokens)
    assert trees.offsets.tolist() == tokens.offsets.tolist()
    assert trees.heads[:6].tolist() == [2, 2, -1, 4, 2, 2]
    assert trees.tags[:3] == ["PRON", "ADV", "VERB"]
    assert parser.identity.startswith("natasha-")
