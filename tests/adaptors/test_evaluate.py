"""The interface of evaluate gives the digits of one call over all texts."""

import tertium
from tertium.adaptors.evaluate import EvaluationModule

HYPOTHESES = ["the cat sat on the mat", "a dog sat", "the mat"]
REFERENCES = ["the cat sat on a mat", "the dog sat", "a mat"]


def test_the_interface_of_evaluate() -> None:
    at_once = tertium.score(HYPOTHESES, [[text] for text in REFERENCES], "chrf", orientation="segments")
    expected = {"chrf": at_once["chrf"]["system"].value}
    module = EvaluationModule("chrf")
    assert module.compute(predictions=HYPOTHESES, references=[[text] for text in REFERENCES]) == expected
    module.add_batch(predictions=HYPOTHESES[:2], references=REFERENCES[:2])
    module.add(prediction=HYPOTHESES[2], reference=[REFERENCES[2]])
    assert module.compute() == expected
    assert module.n_segments == 0
