"""Table 7 of Matsuo, Komachi & Sudoh (2017): four examples."""

import numpy as np

from papers.markdown import table
from papers.rated import Rated, score_sentences

__all__ = ["render_examples"]

# Table 7: output, reference, and what the paper prints for RIBES, METEOR, one-hot, WAS, MAS and people.
_EXAMPLES = (
    ("In both cases, the postoperative course was good.", "In both the cases, postoperative course were good.", (0.83, 0.92, 0.90, 0.89, 0.94, 1.00)),
    ("In the treatment, side effect was not recognized.", "No side effect was noted during treatment.", (0.23, 0.37, 0.55, 0.73, 0.71, 1.00)),
    ("It is found that the deformation is affected by the pair density distribution.", "It was found that the deformation gave effects to the pairing density distribution.", (0.30, 0.37, 0.64, 0.69, 0.78, 0.20)),
    (
        "The above configuration and operation, the water drops, even in the case where the window is not expected operation, it is possible to surely stopped, and the operation switch ( dn ) is operated and the window is opened, it is possible to a vehicle occupant moves out from possible.",
        "With the above-described construction and operation, even when an automobile falls into water, the windows are surely stopped without performing unexpected operations, and can be surely opened by operating the operation switch ( dn ), thus enabling occupants to escape from the automobile.",
        (0.75, 0.25, 0.56, 0.11, 0.61, 0.80),
    ),
)  # fmt: skip
_EXAMPLE_LABELS = ("ribes", "meteor", "onehot", "was@paper", "mas@paper")


def render_examples() -> str:
    """Table 7."""
    head = ["example", "RIBES", "METEOR", "one-hot", "WAS", "MAS", "people"]
    texts = Rated(
        "", [each[0] for each in _EXAMPLES], [[each[1]] for each in _EXAMPLES], [""] * 4, np.zeros(4)
    )
    found = np.array([score_sentences(label, texts) for label in _EXAMPLE_LABELS]).T / 100
    rows = [
        [str(i), *(f"{ours:.2f} / {theirs:.2f}" for ours, theirs in zip(values, each[2][:5], strict=True)), f"{each[2][5]:.2f}"]
        for i, (values, each) in enumerate(zip(found, _EXAMPLES, strict=True), 1)
    ]  # fmt: skip
    factors = ", ".join(
        f"{each[2][3] / values[3]:.1f}" for values, each in zip(found[:3], _EXAMPLES[:3], strict=True)
    )
    return _TABLE_7.format(factors=factors) + table(head, rows)


_TABLE_7 = """### Table 7: four examples

Our value / the paper's value, with `ribes`, `meteor`, `onehot`, `was@paper` and `mas@paper`. The paper's WAS of the first three examples, from
WAT2015, cannot be averages over all pairs of words as in its Eq. 3: nine words against nine others, each similar to one, give
about 1/9. The paper says that scores were scaled to [0, 1] but not how; a constant factor would explain it: {factors} times ours.

"""
