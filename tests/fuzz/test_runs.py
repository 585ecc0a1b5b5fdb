"""Fuzzing of runs: a manifest or a table is changed and all checksums are corrected."""

import copy
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.damage import damaged
from hostile.clean import outcome
from tertium.catalog import LabelledMetric, build_metric
from tertium.engines import evaluate
from tertium.errors import InputError
from tertium.evaluation.runs import open_run, save_run
from tertium.files.archive import MANIFEST, write_archive
from tertium.values import Corpus

CORPUS = Corpus([["a b c"], ["d e"]], {"one": ["a b", "d e"], "two": ["a", "e d"]})
ODD_VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 3, 2**31, 2**63, 10**30, 0.5, 1e308, "", "x", "one", "nan", "inf", "\ud800", "\x1b[31m\n", "9" * 400,
    [], [[]], {}, {"a": 1}, [None], ["one"], ["one", "one"], [1e308, 1e308], [[[[]]]],
]  # fmt: skip
Pack = tuple[dict[str, Any], dict[str, bytes]]


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    """Return the manifest and the members of a valid run."""
    path = tmp_path_factory.mktemp("run") / "sound.run"
    metrics = [LabelledMetric(name, build_metric(name, {})) for name in ("wer", "bleu")]
    save_run(str(path), evaluate(CORPUS, metrics), CORPUS)
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    return json.loads(members.pop(MANIFEST)), members


def use(path: str) -> None:
    """Open a run and read all of its content."""
    run = open_run(path)
    evaluation = run.evaluation
    for label in ("wer", "bleu"):
        evaluation.system_scores(label)
        evaluation.segment_scores(label)
        evaluation.signature(label)
    assert run.corpus is not None


def test_a_sound_run_can_be_used(pack: Pack, tmp_path: Path) -> None:
    write_archive(str(tmp_path / "a.run"), *pack)
    use(str(tmp_path / "a.run"))


@pytest.mark.parametrize("key", ["label", "signature"])
@pytest.mark.parametrize("value", [None, 1, ["wer"]])
def test_a_metric_whose_name_is_no_text_is_one_line(
    pack: Pack, tmp_path: Path, key: str, value: object
) -> None:
    manifest, members = pack
    metrics = [{**manifest["metrics"][0], key: value}, *manifest["metrics"][1:]]
    write_archive(str(tmp_path / "a.run"), {**manifest, "metrics": metrics}, members)
    with pytest.raises(InputError, match="is damaged"):
        use(str(tmp_path / "a.run"))


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_changed_manifest_gives_a_result_or_one_line(
    pack: Pack, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    manifest = copy.deepcopy(pack[0])
    for _ in range(data.draw(st.integers(1, 3))):
        _change(manifest, data)
    path = str(tmp_path_factory.getbasetemp() / "fuzzed.run")
    write_archive(path, manifest, pack[1])
    outcome(use, path)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_changed_member_gives_a_result_or_one_line(
    pack: Pack, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(pack[1])), label="member")
    content = data.draw(damaged([pack[1][name]]), label="content")
    path = str(tmp_path_factory.getbasetemp() / "fuzzed.run")
    write_archive(path, pack[0], {**pack[1], name: content})
    outcome(use, path)


def _change(value: Any, data: st.DataObject) -> None:
    """Replace a random value inside nested lists and tables by an unusual one."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys), label="key")
        inner = value[key]
        if not (isinstance(inner, (dict, list)) and inner) or data.draw(st.integers(0, 4)) == 0:
            break
        value = inner
    if data.draw(st.booleans(), label="delete"):
        del value[key]
    else:
        # a copy, because a later change may modify it
        value[key] = copy.deepcopy(data.draw(st.sampled_from(ODD_VALUES), label="value"))
