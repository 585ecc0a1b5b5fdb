"""Hints with the command that installs an extra."""

import importlib.metadata
from collections.abc import Iterator

import pytest

from tertium.errors import MissingExtraError
from tertium.files import extras
from tertium.files.extras import import_extra, install_hint


@pytest.fixture(autouse=True)
def _ask_anew() -> Iterator[None]:
    extras._is_from_checkout.cache_clear()
    yield
    extras._is_from_checkout.cache_clear()


def install_from(monkeypatch: pytest.MonkeyPatch, record: str | None) -> None:
    class Distribution:
        @staticmethod
        def read_text(name: str) -> str | None:
            return record if name == "direct_url.json" else None

    monkeypatch.setattr(importlib.metadata, "distribution", lambda _name: Distribution)


@pytest.mark.parametrize(
    ("record", "hint"),
    [
        ('{"url": "file:///checkout", "dir_info": {"editable": true}}', "pip install '.[xml]'"),
        ('{"url": "file:///checkout", "dir_info": {}}', "pip install '.[xml]'"),
        ('{"url": "file:///tertium.whl", "archive_info": {}}', "pip install 'tertium[xml]'"),
        (None, "pip install 'tertium[xml]'"),
    ],
)
def test_a_hint_names_the_place_that_the_package_came_from(
    monkeypatch: pytest.MonkeyPatch, record: str | None, hint: str
) -> None:
    install_from(monkeypatch, record)
    assert install_hint("xml") == hint


def test_a_hint_lists_packages_that_are_needed_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    install_from(monkeypatch, None)
    assert install_hint("sacrebleu", "sacrebleu[ja]") == "pip install 'tertium[sacrebleu]' 'sacrebleu[ja]'"


def test_a_missing_module_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    install_from(monkeypatch, None)
    with pytest.raises(
        MissingExtraError, match=r"a.xyz needs absent_module to be read: pip install 'tertium\[xyz\]'"
    ):
        import_extra("absent_module.part", extra="xyz", path="a.xyz")
