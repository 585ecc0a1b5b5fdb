"""Every number of every command is checked by its declaration: notation, bounds and type."""

import sys

import pytest

from contract.test_overwriting import OPTIONS, command_line
from tertium.cli.main import main
from tertium.declarations import CommandOption
from tertium.errors import TertiumError

NUMBERS = [
    pytest.param(name, option, id=f"{name} {option.name}")
    for name, options in OPTIONS.items()
    for option in options
    if {int, float} & set(option.alternatives) and not option.choices
]


@pytest.mark.parametrize(("name", "option"), NUMBERS)
@pytest.mark.parametrize("text", ["1_0", "٥", "nan", "inf", "1e400", "0x10", "9" * 5000])
def test_only_plain_decimal_numbers_are_taken(
    name: str,
    option: CommandOption,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["tertium", *command_line(name, {option.name: text})])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert any(flag in said for flag in option.flags)


@pytest.mark.parametrize(
    ("name", "option"),
    [each for each in NUMBERS if int in each.values[1].alternatives],  # type: ignore[union-attr]
)
def test_a_whole_number_has_a_largest_value(
    name: str, option: CommandOption, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for value in (10**20, 10**5000):
        with pytest.raises(TertiumError, match=r"at most [\d,]+.*, not "):
            option.check(value)
    for wrong in (1.5, "1", True, [1]):
        with pytest.raises(TertiumError, match="must be a whole number"):
            option.check(wrong)
    monkeypatch.setattr(sys, "argv", ["tertium", *command_line(name, {option.name: str(10**20)})])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
