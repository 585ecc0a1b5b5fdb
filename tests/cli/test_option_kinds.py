"""A run whose metrics have every kind of option goes through every command that reads runs."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tertium.catalog import find_metric, metric_names
from tertium.interfaces import BleurtModel, CometModel, MetricXModel, SentenceEncoder

pytestmark = pytest.mark.slow

Tertium = Callable[..., Any]

METRICS = (
    "terms:glossary.tsv",
    "mix:0.6*chrf:word_order=2+0.4*bleu",
    "mix:0.5*wer+0.5*ter",
    "meteor:modules=exact/stem,weights=1/0.5,alpha=0.8",
    "red:weights=2/1/1/1",
    "redp:recall=plain",
    "sempos:parts=VERB/NOUN/ADJ,average=micro",
    "std:orders=1/2,segment_weights=0.5/0.5,price=0.7",
    "bleu:effective_order=yes,smooth_method=floor,smooth_value=0.2,system=mean",
    "beer",
    "bertscore:part=recall",
    "command:./judge.py,texts=all,timeout=100",
)
NETWORKS = {BleurtModel, CometModel, MetricXModel, SentenceEncoder}
"""Kinds of options that need a checkpoint."""

SOURCE = ["Der Hund schläft.", "Das Haus ist alt.", "Wir treffen uns um drei.", "Sie kaufte ein Auto."]
REFERENCE = ["The dog is asleep.", "The house is old.", "We meet at three o'clock.", "She bought a car."]
OUTPUTS = {
    "a": ["The dog sleeps.", "The building is old.", "We are meeting at three.", "She bought the car."],
    "b": ["A dog is asleep.", "The house is ancient.", "We meet at 3.", "She has bought one vehicle today."],
}
JUDGE = f"""#!{sys.executable}
import json, sys
for line in sys.stdin:
    item = json.loads(line)
    print(json.dumps({{"id": item["id"], "score": len(item["hypothesis"])}}))
"""


@pytest.fixture
def folder(tertium: Tertium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a run of an old and a new release, without the files that their metrics read."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    for name, lines in {"source": SOURCE, "reference": REFERENCE, **OUTPUTS}.items():
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    Path("glossary.tsv").write_text("Haus\thouse\nHund\tdog|hound\nAuto\tcar\n", encoding="utf-8")
    Path("judge.py").write_text(JUDGE, encoding="utf-8")
    Path("judge.py").chmod(0o700)
    texts = ("-s", "source.txt", "-r", "reference.txt", "-i", "a.txt", "b.txt")
    for run in ("old.run", "new.run"):
        scored = tertium("score", *texts, "-l", "de-en", "-m", ",".join(METRICS), "--save", run, "-q")
        assert scored.code == 0, scored.err
    away = tmp_path / "away"
    away.mkdir()
    for run in ("old.run", "new.run"):
        shutil.copy(run, away)
    return away


def test_the_metrics_have_every_kind_of_option() -> None:
    used = {option.type for label in METRICS for option in find_metric(label.partition(":")[0]).options()}
    known = {option.type for name in metric_names() for option in find_metric(name).options()}
    choices = {kind for kind in known if "Literal" in str(kind)}
    assert {kind for kind in known - used - choices if kind not in NETWORKS} == set()


@pytest.mark.parametrize("place", ["here", "away"])
def test_every_command_reads_a_run_with_every_kind_of_option(
    tertium: Tertium, folder: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "away":
        monkeypatch.chdir(folder)
    labels = json.loads(tertium("show", "new.run", "-f", "json").out)["metrics"]
    metrics = ",".join(label if isinstance(label, str) else label["label"] for label in labels)
    for arguments in (
        ("report", "new.run", "-o", "page.html"),
        ("report", "new.run#a", "--history", "old.run#a", "-o", "page.html"),
        ("show", "new.run", "--details"),
        ("show", "new.run", "-f", "csv", "--full"),
        ("show", "new.run", "--by", "length"),
        *(
            ("segments", "new.run", "-f", form)
            for form in ("text", "csv", "tsv", "json", "md", "latex", "html")
        ),
        ("segments", "new.run", "-o", "segments.xlsx"),
        ("compare", "new.run"),
        ("compare", "old.run#a", "new.run#b", "-f", "json"),
        ("gate", "new.run#b", "--against", "old.run#a", "--metric", metrics, "--not-worse", "5"),
        ("history", "old.run", "new.run", "--system", "a"),
        ("plan", "new.run", "-d", "1"),
    ):
        run = tertium(*arguments)
        assert run.code in (0, 3) if arguments[0] == "gate" else run.code == 0, (arguments, run.err)
