"""The classes of words that the aligner compares, for a vocabulary that grows, and on several threads."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from reference.meteor_words import GOLDEN_PARAPHRASES, GOLDEN_WORDS, HandSynonyms
from tertium.errors import ResourceError
from tertium.kernels.strings import Vocabulary, hash_words
from tertium.metrics import word_alignment
from tertium.metrics.meteor.meteor import METEOR
from tertium.metrics.word_alignment import KnownWords, WordClasses, known_words, stem_words
from tertium.resources.synonyms import load_wordnet
from tertium.text import References, Texts
from tertium.values import FloatArray

SYNONYMS = HandSynonyms((("cars", "autos"), ("run", "walk", "cars")))
WORDS = ["cars", "autos", "runs", "walk", "the", "naïve", ""]


def check(found: WordClasses, words: list[str]) -> None:
    assert found.codes.tolist() == hash_words(words).tolist()
    assert found.stems is not None
    assert found.synsets is not None
    assert found.stems.tolist() == hash_words(stem_words("en", words)).tolist()
    assert [found.synsets[i] for i in found.ids.tolist()] == SYNONYMS.synsets(words)


def test_a_growing_vocabulary_is_looked_up_word_by_word() -> None:
    known, found = KnownWords("en", SYNONYMS), None
    vocabulary = Vocabulary()
    for n in range(len(WORDS)):
        vocabulary.intern_all(WORDS[: n + 1])
        found = known.extend(found, vocabulary)
        check(found, WORDS[: n + 1])
    assert known.extend(found, vocabulary) is found


def test_words_of_another_vocabulary_have_other_places() -> None:
    known = KnownWords("en", SYNONYMS)
    for words in (WORDS, WORDS[::-1], [*WORDS[2:], "more", *WORDS[:2]]):
        vocabulary = Vocabulary()
        vocabulary.intern_all(words)
        check(known.extend(None, vocabulary), words)


def test_what_is_not_needed_is_not_looked_up() -> None:
    vocabulary = Vocabulary()
    vocabulary.intern_all(WORDS)
    found = KnownWords(None, None).extend(None, vocabulary)
    assert (found.stems, found.synsets) == (None, None)
    assert found.codes.tolist() == hash_words(WORDS).tolist()


def test_a_full_cache_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KnownWords, "MAX_WORDS", 3)
    known, vocabulary = KnownWords("en", SYNONYMS), Vocabulary()
    vocabulary.intern_all(WORDS[:4])
    before = known.extend(None, vocabulary)
    vocabulary.intern_all(WORDS)
    grown = known.extend(before, vocabulary)
    assert grown.known is before.known  # its own words are not looked up again
    other = Vocabulary()
    other.intern_all(WORDS[1:])
    after = known.extend(None, other)
    assert after.known is not before.known
    check(before, WORDS[:4])
    check(grown, WORDS)
    check(after, WORDS[1:])
    vocabulary.intern_all(["another"])
    check(known.extend(grown, vocabulary), [*WORDS, "another"])


class Unsteady(HandSynonyms):
    """Fails at first."""

    calls: Iterator[int] = iter(range(2))

    def synsets(self, words: Sequence[str]) -> list[Sequence[int]]:
        if next(self.calls, None) is not None:
            raise OSError("not yet")
        return super().synsets(words)


def test_words_are_looked_up_again_after_an_error() -> None:
    known, vocabulary = KnownWords("en", Unsteady(SYNONYMS.groups)), Vocabulary()
    vocabulary.intern_all(WORDS)
    for _ in range(2):
        with pytest.raises(OSError, match="not yet"):
            known.extend(None, vocabulary)
    check(known.extend(None, vocabulary), WORDS)


class Short(HandSynonyms):
    """Forgets the last word."""

    def synsets(self, words: Sequence[str]) -> list[Sequence[int]]:
        return super().synsets(words)[:-1]


def test_a_source_must_answer_for_every_word() -> None:
    vocabulary = Vocabulary()
    vocabulary.intern_all(WORDS)
    with pytest.raises(ResourceError, match="synonyms by hand: 6 lists of synsets for 7 words"):
        KnownWords("en", Short()).extend(None, vocabulary)


def test_two_sources_with_one_name_are_kept_apart() -> None:
    others = HandSynonyms((("the", "walk"),))
    assert others.identity == SYNONYMS.identity
    assert known_words("en", SYNONYMS) is known_words("en", SYNONYMS)
    assert known_words("en", SYNONYMS) is not known_words("en", others)
    assert known_words("en", SYNONYMS) is not known_words("de", SYNONYMS)


def test_the_words_of_a_limited_number_of_sources_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_alignment, "_all_known", {})
    sources = [HandSynonyms() for _ in range(20)]
    kept = [known_words("en", source) for source in sources]
    assert known_words("en", sources[-1]) is kept[-1]
    assert known_words("en", sources[0]) is not kept[0]


@pytest.fixture
def _eager_switches() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("_eager_switches")
def test_threads_may_share_references() -> None:
    metric = METEOR(word_lists=GOLDEN_WORDS, synonyms=load_wordnet(), paraphrases=GOLDEN_PARAPHRASES)
    groups = [[f"the cat sat on mat {i}", f"a dog ran to house {i}"] for i in range(400)]
    systems = [
        [" ".join(["the cats sat", *(f"w{n}x{i}x{k}" for k in range(10))]) for i in range(400)]
        for n in range(8)
    ]

    def score(hypotheses: list[str], references: References) -> FloatArray:
        return metric.statistics(Texts(hypotheses, references.vocabulary), references)

    expected = [score(hypotheses, References(groups)) for hypotheses in systems]
    for _ in range(4):
        shared = References(groups)
        with ThreadPoolExecutor(len(systems)) as pool:
            found = list(pool.map(lambda hypotheses, shared=shared: score(hypotheses, shared), systems))
        np.testing.assert_array_equal(found, expected)
