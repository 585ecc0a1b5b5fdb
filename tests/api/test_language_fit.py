"""Text in a language that a metric's resources do not know is refused or warned about, never scored in silence."""

import pytest

import tertium
from tertium.errors import ResourceError

RUSSIAN = ["Он вчера купил новую машину и поехал домой.", "Это был очень хороший день для всех нас."]
GERMAN = [
    "Gestern hat er ein neues Auto gekauft und ist nach Hause gefahren.",
    "Das war ein schöner Tag.",
] * 3
CHINESE = ["我昨天买了一本书，然后回家了。", "这是一个非常好的一天。"]


@pytest.mark.parametrize("metric", ["std", "was", "meteor"])
def test_russian_is_refused_where_only_english_is_known(metric: str) -> None:
    with pytest.raises(ResourceError, match="look Russian"):
        tertium.score(RUSSIAN, RUSSIAN, metric)


def test_russian_is_scored_by_what_knows_it() -> None:
    assert tertium.score(RUSSIAN, RUSSIAN, "meteor", language="ru")["meteor"][
        "system"
    ].value == pytest.approx(100)
    assert tertium.score(RUSSIAN, RUSSIAN, "bleu").warnings == ()


def test_english_vectors_of_other_latin_text_are_doubted() -> None:
    (doubt,) = tertium.score(GERMAN, GERMAN, "std").doubts
    assert "look German" in doubt


def test_chinese_without_a_tokenizer_is_noticed() -> None:
    assert "no spaces between words" in tertium.score(CHINESE, CHINESE, "bleu").warnings[0]
    assert tertium.score(CHINESE, CHINESE, "bleu", language="zh").warnings == ()
