"""WordNet as METEOR uses it: base forms, and words that share a synset."""

import pickle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reference.wordnet import RULES, PlainWordNet
from tertium.interfaces import Synonyms
from tertium.resources.synonyms import load_wordnet

# Pairs on which METEOR 1.5's synonym module was run.
SYNONYMS = """boxes box, ladies lady, hoping hope, bigger big, nicest nice, firemen fireman, glasses glass, buses bus,
stopped stop, making make, men man, better good, worse bad, went go, axes ax, axes axis, leaves leaf, saw see,
ran run, houses home, autos cars, jumping leaped, children kids, us america, tv television, 10 ten, was is,
has had, dies die, lying lie, bathes bath, agreed agree, analyses analysis, larger big, storys story,
born recording"""  # the last ones by chance: bear and record have the same offset in two of WordNet's files
STRANGERS = """dog's dog, happily happy, being be, does do, whitest white, an a, as a, boss bos, attacker attack,
forest fore, has ha, gas ga, third allow"""


PLAIN = PlainWordNet()
WORDS = st.one_of(
    st.sampled_from(list(PLAIN.bases)),
    st.builds(
        lambda lemma, rule: lemma.removesuffix(rule[1]) + rule[0],
        st.sampled_from(list(PLAIN.synsets_of)),
        st.sampled_from(RULES),
    ),
    st.text(st.sampled_from("asentmdéß中"), max_size=5),
)


@settings(max_examples=300, deadline=None)
@given(words=st.lists(WORDS, max_size=80))
@example(words=["box-kodaks", "major-axes"])  # irregular forms whose base is two words, which no token is
def test_words_are_looked_up_as_in_plain_dictionaries(words: list[str]) -> None:
    wordnet = load_wordnet()
    assert list(wordnet.synsets(words)) == [PLAIN.synsets(word) for word in words]
    for word in words:
        assert (word in wordnet) == (word in PLAIN.synsets_of)
        assert wordnet.base_forms(word) == PLAIN.base_forms(word)
        assert wordnet.irregular(word) == PLAIN.bases.get(word, [])


def test_it_travels_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(load_wordnet())) is load_wordnet()


def pairs(text: str) -> list[tuple[str, str]]:
    return [(one, other) for one, other in (pair.split() for pair in text.replace("\n", " ").split(","))]


def share(one: str, other: str) -> bool:
    first, second = load_wordnet().synsets([one, other])
    return bool(set(first) & set(second))


@pytest.mark.parametrize(("one", "other"), pairs(SYNONYMS))
def test_words_share_a_synset(one: str, other: str) -> None:
    assert share(one, other)


@pytest.mark.parametrize(("one", "other"), pairs(STRANGERS))
def test_words_share_no_synset(one: str, other: str) -> None:
    assert not share(one, other)


def test_synsets_rise() -> None:
    for row in load_wordnet().synsets(["running", "set", "sets", "xqzzt", ""]):
        assert list(row) == sorted(set(row))


def test_base_forms_come_from_exceptions_or_the_first_rule() -> None:
    assert load_wordnet().base_forms("axes") == ["ax", "axis"]
    assert load_wordnet().base_forms("does") == ["doe"]
    assert load_wordnet().base_forms("cat") == []


def test_it_is_a_resource_with_a_checksum() -> None:
    assert isinstance(load_wordnet(), Synonyms)
    assert load_wordnet().identity.startswith("wordnet-3.0[")
    assert load_wordnet() is load_wordnet()
