"""Metrics of other packages: their names, their versions in signatures, and what is checked of them."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import tertium
from hostile.clean import outcome
from tertium.catalog import LabelledMetric, finding
from tertium.cli.main import main
from tertium.engines import evaluate
from tertium.errors import InputError, OptionError, ResourceError
from tertium.metrics import Metric, References, Texts, base, fitted_field, option
from tertium.metrics.lexical.wer import WER
from tertium.values import Corpus, FloatArray


@dataclass(frozen=True)
class LengthRatio(Metric):
    """Hypothesis length over the mean reference length that `fit` found."""

    version: ClassVar[str] = "1.2"

    scale: float = option(100.0, "what equal lengths score")
    mean_length: float | None = fitted_field()

    def fit(self, references: References) -> "LengthRatio":
        return replace(self, mean_length=float(references.tokens("none").lengths.mean()))

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        lengths = hypotheses.tokens("none").lengths.astype(np.float64)
        return np.column_stack([lengths / (self.mean_length or 1.0), np.ones_like(lengths)])

    def combine(self, totals: FloatArray) -> FloatArray:
        return np.asarray(self.scale * totals[..., 0] / totals[..., 1])


@dataclass(frozen=True)
class Renamed(LengthRatio):
    """A metric with a name of its own."""

    name: ClassVar[str] = "length-ratio"


@dataclass(frozen=True)
class Careless(LengthRatio):
    """A metric that forgets a segment, or returns numbers without a row each."""

    shape: tuple[int, ...] = (1, 2)

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return np.ones(self.shape)


EXITING = """\
import sys
from dataclasses import dataclass
from tertium.metrics.lexical.wer import WER

{}

@dataclass(frozen=True)
class Mine(WER):
    def {}(self, *args):
        {}
"""


@pytest.mark.parametrize("call", ["sys.exit(5)", "sys.exit()", "raise SystemExit('no licence')"])
@pytest.mark.parametrize("place", ["import", "__post_init__", "statistics", "combine"])
def test_a_metric_that_ends_python_is_named(
    place: str,
    call: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code = EXITING.format(call, "rate", "pass") if place == "import" else EXITING.format("", place, call)
    Path("mine.py").write_text(code, encoding="utf-8")
    Path("a.txt").write_text("a b\n", encoding="utf-8")
    monkeypatch.setattr(
        sys, "argv", ["tertium", "score", "-r", "a.txt", "-i", "a.txt", "-m", "./mine.py:Mine"]
    )
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    printed = capsys.readouterr()
    assert not printed.out
    if place == "import":
        assert "mine.py failed to import (SystemExit" in printed.err
        with pytest.raises(ResourceError, match="failed to import"):
            finding.find_metric("./mine.py:Mine")
    else:
        line = 1 + code.partition(call)[0].count("\n")
        assert f"mine.py, line {line}, called sys.exit(" in printed.err


def test_a_plugin_is_named_by_its_class_unless_it_names_itself() -> None:
    assert (LengthRatio.name, Renamed.name, Careless.name) == ("lengthratio", "length-ratio", "careless")
    assert LengthRatio.__name__ == "LengthRatio"


ALLOWED = ["__proto__", "constructor", "a.b", "a+b", "A-b", "9"]
FORBIDDEN = ["a b", "a,b", "a:b", "a@b", "../a", "a\nb", "\x1b[31m", "", "<b>", "9" * 300, "é", "-x"]


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """Register `LengthRatio` under a name, and let it call itself by a name."""

    def register(name: str, own: str) -> None:
        entry = EntryPoint(name, f"{__name__}:LengthRatio", base.ENTRY_POINTS)
        monkeypatch.setattr(finding, "find_plugins", lambda: [entry])
        monkeypatch.setattr(LengthRatio, "name", own)
        finding.families.cache_clear()

    yield register
    finding.families.cache_clear()


@pytest.mark.parametrize("name", ALLOWED)
def test_a_plugin_with_an_unusual_name_is_listed_scored_saved_and_drawn(
    name: str, plugin: Callable[[str, str], None], tmp_path: Path
) -> None:
    pytest.importorskip("jinja2")
    plugin(name, name)
    assert name in tertium.list_metrics().render()
    result = tertium.score({"x": ["a b"] * 9, "y": ["a"] * 9}, ["a b"] * 9, [name, "wer"])
    result.save(tmp_path / "x.run")
    assert f"{name}|" in tertium.show(tmp_path / "x.run", table="signatures").render()
    page = tertium.report(tmp_path / "x.run", samples=20)
    page.write(tmp_path / "page.html")
    assert name in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_plugin_with_a_hostile_name_is_neither_listed_nor_used(
    name: str, plugin: Callable[[str, str], None]
) -> None:
    plugin(name, name)
    assert all(line.isprintable() for line in tertium.list_metrics().render().splitlines())
    assert outcome(lambda: tertium.score({"x": ["a b"]}, ["a b"], [name]))


def test_the_message_says_how_to_rename_a_plugin(plugin: Callable[[str, str], None]) -> None:
    plugin("a b", "a b")
    with pytest.raises(
        LookupError, match=r"'a b' is not allowed as the name of a metric: rename the entry point"
    ):
        tertium.score({"x": ["a b"]}, ["a b"], "a b")


def test_a_plugin_that_calls_itself_otherwise_is_rejected(plugin: Callable[[str, str], None]) -> None:
    plugin("mine", "lengthratio")
    with pytest.raises(ResourceError, match=r"'mine' of package .* calls itself 'lengthratio'"):
        tertium.score({"x": ["a b"]}, ["a b"], "mine")


def test_a_signature_carries_the_plugins_version_and_ours() -> None:
    ours = WER().signature((1, 1)).rpartition("version:")[2]
    signature = LengthRatio(scale=1.0).signature((1, 1))
    package = __name__.split(".")[0]
    assert signature == f"lengthratio|nrefs:1|scale:1|version:{package}-1.2+{ours}"


def test_without_a_version_the_entry_points_distribution_gives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Distribution:
        name, version = "nice-metrics", "3.4"

    entry = EntryPoint("lengthratio", f"{__name__}:LengthRatio", base.ENTRY_POINTS)
    vars(entry)["dist"] = Distribution
    monkeypatch.setattr(base, "find_plugins", lambda: [entry])
    monkeypatch.setattr(LengthRatio, "version", "")
    base._installed_version.cache_clear()
    try:
        assert "|version:nice-metrics-3.4+tertium-" in LengthRatio().signature((1, 1))
    finally:
        base._installed_version.cache_clear()


def test_what_fit_learns_is_no_option() -> None:
    fitted = LengthRatio().fit(References([["a b"], ["a b c d"]]))
    assert fitted.mean_length == 3
    assert [known.name for known in LengthRatio.options()] == ["scale", "system", "normalize"]
    assert "mean_length" not in repr(fitted)
    assert fitted == LengthRatio()
    assert fitted.signature((1, 1)) == LengthRatio().signature((1, 1))
    assert LengthRatio().corpus_score(["a b", "a b"], [["a b", "a b c d"]]).score == pytest.approx(200 / 3)


@pytest.mark.parametrize("shape", [(1, 2), (3, 2), (2,), (2, 1, 1)])
def test_a_wrong_number_of_rows_is_refused(shape: tuple[int, ...]) -> None:
    metric = Careless(shape=shape)
    message = r"careless returned statistics of shape \(.*\) for 2 segments; a metric must return a row"
    with pytest.raises(InputError, match=message):
        metric.corpus_score(["a", "b"], [["a", "b"]])
    corpus = Corpus([["a"], ["b"]], {"system": ["a", "b"]})
    with pytest.raises(InputError, match=message):
        evaluate(corpus, [LabelledMetric("careless", metric)])


def test_a_plugin_without_an_explanation_says_so() -> None:
    with pytest.raises(OptionError, match="lengthratio cannot explain the scores of segments"):
        LengthRatio().explain("a", ["b"])


def test_hypotheses_and_references_of_unlike_number_are_refused() -> None:
    references: Any = References([["a"], ["b"]])
    with pytest.raises(InputError, match="wer: 1 hypotheses but references of 2 segments"):
        WER().checked_statistics(Texts(["a"], references.vocabulary), references)


def test_a_plugin_that_does_not_import_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_plugin.py").write_text("import no_such_module\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint("broken", "broken_plugin:Metric", base.ENTRY_POINTS)
    monkeypatch.setattr(finding, "find_plugins", lambda: [entry])
    finding.families.cache_clear()
    try:
        with pytest.raises(
            ResourceError, match=r"metric 'broken' of package broken_plugin failed to import \(Mod"
        ):
            finding.find_metric("broken")
    finally:
        finding.families.cache_clear()


def test_the_signature_names_the_distribution_of_a_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    class Distribution:
        name, version = "tidy-metrics", "3.1"

    def register(package: str, distribution: object) -> EntryPoint:
        entry = EntryPoint("x", f"{package}.lengths:X", base.ENTRY_POINTS)
        vars(entry)["dist"] = distribution
        return entry

    entries = [register("others", Distribution()), register("tidy", Distribution()), register("bare", None)]
    monkeypatch.setattr(base, "find_plugins", lambda: entries)
    for package, named in (("tidy", "tidy-metrics-3.1"), ("bare", "bare")):
        cls = type("X", (), {"__module__": f"{package}.lengths"})
        assert base.name_origin(cls, "").partition("+")[0] == named
