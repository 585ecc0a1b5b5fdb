"""Numbers are parsed in time proportional to their length."""

import time

import pytest

from tertium.decimals import parse_number


@pytest.mark.parametrize("text", ["0" * 100_000 + "true", "0" * 100_000 + ".", "1." + "0" * 100_000 + "x"])
def test_a_long_line_of_digits_is_parsed_at_once(text: str) -> None:
    """200 kB took four minutes, because digits before and after a missing point could be split in any way."""
    begin = time.process_time()
    parse_number(text)
    assert time.process_time() - begin < 1
