"""Hypothesis strategies for texts that trip tokenisers, and for corpora with several references."""

from hypothesis import strategies as st

__all__ = ["Corpus", "corpora", "texts", "word_lists"]

Corpus = tuple[list[str], list[list[str]]]

# Few letters, so that texts share n-grams; case that changes length; marks; white space of all kinds.
_CHARACTERS = st.sampled_from("aabbAB12 .,'-!(\"&;:/ßİé中かー。，😀\u0301  \u00a0\u3000\t\n")
_WORDS = st.sampled_from(
    ["a", "b", "c", "A", "the", "cat's", "3.5", "(b)", "x,y", "-", "...", "中文", "かな", "&amp;"]
)

texts = st.one_of(
    st.text(_CHARACTERS, max_size=40),
    st.lists(_WORDS, max_size=30).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)

word_lists = st.lists(st.sampled_from("abcdefgh"), max_size=24)


@st.composite
def corpora(draw: st.DrawFn, lines: st.SearchStrategy[str] = texts) -> Corpus:
    """Hypotheses, and streams of references: the shape that sacreBLEU takes."""
    size = draw(st.integers(1, 4))
    n_streams = draw(st.integers(1, 3))
    column = st.lists(lines, min_size=size, max_size=size)
    return draw(column), [draw(column) for _ in range(n_streams)]
