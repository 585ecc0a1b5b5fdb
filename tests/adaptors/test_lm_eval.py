"""A metric registered in lm-evaluation-harness has the digits of one call over all samples."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval", reason="lm-evaluation-harness is not installed (workflow frameworks)")

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

import tertium
from tertium.adaptors.lm_eval import register
from tertium.errors import UnknownNameError

pytestmark = pytest.mark.slow
TASK = """
task: tiny_translation
dataset_path: json
dataset_kwargs: {{data_files: {{test: "{data}"}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{source}}}}"
doc_to_target: "{{{{target}}}}"
generation_kwargs: {{until: ["\\n"]}}
metric_list:
  - metric: tertium_chrf
    aggregation: tertium_chrf
    higher_is_better: true
"""
SOURCES = ["die Katze saß auf der Matte", "ein Hund"]
TARGETS = ["the cat sat on the mat", "a dog"]
OUTPUTS = {"die Katze saß auf der Matte": "the cat sat on a mat", "ein Hund": "the dog"}


def test_a_task_reports_the_score(tmp_path: Path) -> None:
    class Translator(LM):  # type: ignore[misc]
        def generate_until(self, requests: list[Any], *_: Any, **__: Any) -> list[str]:
            return [OUTPUTS[request.args[0]] for request in requests]

        def loglikelihood(self, *_: Any) -> list[Any]:
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    rows = [
        f'{{"source": "{source}", "target": "{target}"}}\n'
        for source, target in zip(SOURCES, TARGETS, strict=True)
    ]
    (tmp_path / "data.json").write_text("".join(rows), encoding="utf-8")
    (tmp_path / "tiny.yaml").write_text(TASK.format(data=tmp_path / "data.json"), encoding="utf-8")
    assert register("chrf") == "tertium_chrf"
    found = simple_evaluate(
        model=Translator(),
        tasks=["tiny_translation"],
        task_manager=TaskManager(include_path=str(tmp_path), include_defaults=False),
        bootstrap_iters=0,
    )
    expected = tertium.score(list(OUTPUTS.values()), TARGETS, "chrf")["chrf"]["system"].value
    assert found["results"]["tiny_translation"]["tertium_chrf,none"] == expected


def test_a_wrong_metric_is_reported_before_the_model_runs() -> None:
    with pytest.raises(UnknownNameError):
        register("blue")
