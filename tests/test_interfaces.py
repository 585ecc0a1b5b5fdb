"""What resources say of themselves."""

from types import SimpleNamespace

import pytest

from tertium.interfaces import known_languages


@pytest.mark.parametrize(
    ("attributes", "languages"),
    [
        ({}, None),
        ({"languages": None}, None),
        ({"language": None}, None),
        ({"language": "de"}, {"de"}),
        ({"languages": frozenset({"en", "fr"})}, {"en", "fr"}),
    ],
)
def test_a_resource_may_say_which_languages_it_knows(
    attributes: dict[str, object], languages: set[str] | None
) -> None:
    assert known_languages(SimpleNamespace(**attributes)) == (
        None if languages is None else frozenset(languages)
    )
