"""Our tokenizers compared with sacreBLEU's classes."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from reference.odd_text import odd_lines
from tertium.catalog import read_signature
from tertium.errors import InputError, MissingExtraError, ResourceError, UnknownNameError
from tertium.files.extras import install_hint
from tertium.kernels.threads import use_threads
from tertium.metrics.lexical.bleu import BLEU
from tertium.text import Texts, tokenizers
from tertium.text.tokenizers import TOKENIZERS, format_tokenizer, parse_tokenizer

PEERS: dict[str, Callable[[str], str]] = {
    "13a": Tokenizer13a(),
    "none": NoneTokenizer(),
    "char": TokenizerChar(),
    "intl": TokenizerV14International(),
    "zh": TokenizerZh(),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "count"), [("13a", 100_000), ("none", 5_000), ("char", 5_000), ("intl", 20_000), ("zh", 20_000)]
)
def test_tokens_equal_sacrebleus_on_odd_lines(name: str, count: int) -> None:
    lines = list(odd_lines(count, seed=7))
    column = Texts(lines).tokens(name)
    wrong = [line for i, line in enumerate(lines) if column.words(i) != PEERS[name](line.rstrip()).split()]
    assert wrong == []


def plain_lines(count: int, seed: int) -> list[str]:
    """Draw lines of words, numbers and punctuation, so long that tokens cross blocks of 64 bytes."""
    rng = np.random.default_rng(seed)
    characters = np.array([*"abcdefgh", *"0123", *"    ", *".,-'&(%", "\t", "é", "”"])
    shares = rng.dirichlet(np.full(len(characters), 0.5), 8)  # some lines have many points, some no space
    return [
        "".join(
            rng.choice(characters, size=int(rng.integers(0, 2300 if i % 20 == 0 else 200)), p=shares[i % 8])
        )
        for i in range(count)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", PEERS)
def test_tokens_equal_sacrebleus_across_blocks_of_bytes(name: str) -> None:
    lines = plain_lines(4_000, seed=5)
    column = Texts(lines).tokens(name)
    wrong = [line for i, line in enumerate(lines) if column.words(i) != PEERS[name](line.rstrip()).split()]
    assert wrong == []


@pytest.mark.parametrize("name", PEERS)
@given(line=st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200))
def test_tokens_equal_sacrebleus_on_any_text(name: str, line: str) -> None:
    assert Texts([line]).tokens(name).words(0) == PEERS[name](line.rstrip()).split()


@pytest.mark.parametrize(("tokenizer", "lowercase"), [("13a", False), ("meteor", False), ("meteor", True)])
@pytest.mark.parametrize("repeats", [(1, 1), (40, 1), (1, 40)], ids=["even", "long first", "long last"])
def test_ids_do_not_depend_on_the_number_of_threads(
    tokenizer: str, *, lowercase: bool, repeats: tuple[int, int]
) -> None:
    """A thread with short texts takes over texts of another one."""
    first, last = (
        [line * times for line in odd_lines(400, seed)] for seed, times in zip((3, 4), repeats, strict=True)
    )
    columns = []
    for threads in (1, 2, 5):
        with use_threads(threads):
            columns.append(Texts([*first, *last]).tokens(tokenizer, lowercase=lowercase))
    for column in columns[1:]:
        assert (column.ids == columns[0].ids).all()
        assert (column.offsets == columns[0].offsets).all()
        every = np.arange(len(columns[0].vocabulary), dtype=np.int32)
        assert column.vocabulary.words(every) == columns[0].vocabulary.words(every)


def test_columns_of_one_vocabulary_share_ids() -> None:
    first = Texts(["the cat", "sat"])
    assert first.tokens("none").ids.tolist() == [0, 1, 2]
    second = Texts(["sat the"], first.vocabulary)
    assert second.tokens("none").ids.tolist() == [2, 0]


def test_lower_case_comes_before_the_tokens() -> None:
    assert Texts(["ΣΑΣ Straße İ"]).tokens("none", lowercase=True).words(0) == "ΣΑΣ Straße İ".lower().split()


def test_a_view_is_made_once() -> None:
    texts = Texts(["a b"])
    assert texts.tokens("13a") is texts.tokens("13a")


@pytest.mark.parametrize("keep_space", [True, False])
@given(line=st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=100))
def test_characters_are_the_code_points(line: str, *, keep_space: bool) -> None:
    expected = line if keep_space else "".join(line.split())
    assert Texts([line]).characters(keep_space=keep_space).words(0) == list(expected)


def test_a_lone_surrogate_is_refused_with_its_place() -> None:
    with pytest.raises(InputError, match=r"segment 2, character 3 .* U\+DC80"):
        Texts(["fine", "ab\udc80"]).tokens("13a")


def test_an_unknown_tokenizer_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="did you mean intl"):
        Texts(["a"]).tokens("intll")


@pytest.mark.parametrize(("name", "extra"), [("ja-mecab", "ja"), ("ko-mecab", "ko")])
def test_a_foreign_tokenizer_without_its_packages_names_its_extra(
    monkeypatch: pytest.MonkeyPatch, name: str, extra: str
) -> None:
    module = name.replace("-", "_")
    monkeypatch.setattr(f"sacrebleu.tokenizers.tokenizer_{module}.MeCab", None)  # as its failed import does
    with pytest.raises(MissingExtraError, match=re.escape(install_hint(extra))):
        Texts(["a"]).tokens(name)


# What MeCab is asked to cut: its language, other scripts, marks of both widths, empty lines and odd spaces.
MECAB_LINES = {
    "ja-mecab": [
        "評議会は火曜日に会合を開き、パンと牛乳の価格について話し合った。",
        "私の姉は去年赤い車を買いました。",
        "  ＡＢＣ社の3.5%増益　（前年比）、NASA「発表」！",
        "",
        "　",
        "das ist kein Japanisch 😀",
    ],
    "ko-mecab": [
        "의회는 화요일에 모여 도시의 빵과 우유 가격을 논의했다.",
        "내 누나는 작년에 빨간 자동차를 샀습니다.",
        "  삼성전자(005930)는 3.5% 상승했다, “최고”라고!",
        "",
        "　",
        "das ist kein Koreanisch 😀",
    ],
}


@pytest.mark.needs("MeCab")
@pytest.mark.needs("mecab_ko")
@pytest.mark.parametrize("name", MECAB_LINES)
def test_mecabs_tokens_scores_and_signature_are_sacrebleus(name: str) -> None:
    lines = MECAB_LINES[name]
    others = [*lines[:2][::-1], *lines[2:]]
    peer = sacrebleu.BLEU(tokenize=name)
    expected = peer.corpus_score(others, [lines])
    tokens = Texts(lines).tokens(name)
    assert [" ".join(tokens.words(i)) for i in range(len(lines))] == [
        " ".join(peer.tokenizer(line.rstrip()).split()) for line in lines
    ]
    metric = BLEU(tokenizer=name)
    assert metric.corpus_score(others, [lines], orientation="streams").score == pytest.approx(
        expected.score, abs=1e-9
    )
    signature = peer.get_signature().info["tok"]
    assert f"|tok:{signature}|" in metric.signature((1, 1))
    assert signature.startswith(f"{name}-")


def test_a_model_that_is_not_there_is_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sacrebleu")
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(tmp_path))
    with pytest.raises(ResourceError, match=r"flores200 needs its model: save https://\S+ as .*models"):
        Texts(["a"]).tokens("flores200")


class MeCabOf2011:
    """A replacement of sacreBLEU's class, which knows the version of its dictionary."""

    def signature(self) -> str:
        return "ja-mecab-0.996-IPA"


def test_a_signature_names_dictionary_and_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizers, "foreign_tokenizer", lambda name: MeCabOf2011())
    monkeypatch.setattr(tokenizers.Tokenizer, "is_installed", property(lambda _: True))
    format_tokenizer.cache_clear()
    signature = BLEU(tokenizer="ja-mecab").signature((1, 1))
    format_tokenizer.cache_clear()
    assert "|tok:ja-mecab-0.996-IPA|" in signature
    assert read_signature(signature) == BLEU(tokenizer="ja-mecab")
    assert "|tok:flores101|" in BLEU(tokenizer="spm").signature((1, 1))


def test_a_signature_spells_a_mecab_that_is_not_installed_by_its_bare_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tokenizers.Tokenizer, "is_installed", property(lambda _: False))
    format_tokenizer.cache_clear()
    assert format_tokenizer("ko-mecab") == "ko-mecab"
    format_tokenizer.cache_clear()


@pytest.mark.parametrize("name", sorted(set(TOKENIZERS) - {"spm", "ja-mecab", "ko-mecab"}))
def test_other_tokenizers_are_spelled_as_they_are_called(name: str) -> None:
    assert format_tokenizer(name) == name == parse_tokenizer(name)


@pytest.mark.parametrize(
    ("name", "script", "fits"),
    [
        ("13a", "Latin", True),
        ("13a", "Hangul", True),
        ("13a", "Han", False),
        ("zh", "Han", True),
        ("zh", "Japanese", False),
        ("ja-mecab", "Japanese", True),
        ("intl", "Thai", False),
        ("char", "Thai", True),
        ("flores200", "Khmer", True),
    ],
)
def test_a_tokenizer_fits_scripts_with_spaces_and_those_that_it_can_cut(
    name: str, script: str, *, fits: bool
) -> None:
    assert TOKENIZERS[name].fits(script) == fits


def test_meteors_tokens_can_be_chosen_by_name() -> None:
    texts = Texts(["Mr. Smith's well-known dog isn't U.S. made.", "See No. 5."])
    assert texts.tokens("meteor").words(0) == (
        ["Mr.", "Smith", "'s", "well", "known", "dog", "isn", "'t", "US", "made", "."]
    )
    assert texts.tokens("meteor").words(1) == ["See", "No.", "5", "."]


def test_abbreviations_are_found_before_meteors_tokens_become_lower_case() -> None:
    texts = Texts(["Mr. Smith saw it."])
    assert texts.tokens("meteor", lowercase=True).words(0) == ["mr.", "smith", "saw", "it", "."]
    assert texts.vocabulary.words(texts.tokens("meteor", lowercase=True).ids)[0] == "mr."
