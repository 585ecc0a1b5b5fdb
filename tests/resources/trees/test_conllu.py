"""CoNLL-U files are checked and matched with the text; errors name the file and the sentence."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from reference.trees import tree_column
from tertium.errors import ResourceError
from tertium.resources.trees import load_trees, read_conllu, render_conllu
from tertium.text import Texts
from tertium.values import TokenColumn

Write = Callable[..., str]

ANT = """# text = I saw an ant
1\tI\tI\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tsaw\tsee\tVERB\t_\t_\t0\troot\t_\t_
3\tan\ta\tDET\t_\t_\t4\tdet\t_\t_
4\tant\tant\tNOUN\t_\t_\t2\tobj\t_\t_
"""
FRENCH = """1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\t_\t_\t3\tcase\t_\t_
2\tle\tle\tDET\t_\t_\t3\tdet\t_\t_
3\tpain\tpain\tNOUN\t_\t_\t0\troot\t_\t_
3.1\tx\tx\tX\t_\t_\t_\t_\t_\t_
"""


def tokens(*texts: str) -> TokenColumn:
    return Texts(list(texts)).tokens("none")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to_file(text: str, name: str = "refs.conllu") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return to_file


def test_heads_lemmas_tags_and_relations_are_read(write: Write) -> None:
    column = load_trees(write(ANT)).parse(tokens("I saw an ant"))
    assert column.heads.tolist() == [1, -1, 3, 1]
    assert column.lemmas == ["I", "see", "a", "ant"]
    assert column.tags == ["PRON", "VERB", "DET", "NOUN"]
    assert column.relations == ["nsubj", "root", "det", "obj"]


def test_ranges_and_empty_nodes_are_passed_over(write: Write) -> None:
    (sentence,) = read_conllu(write(FRENCH))
    assert sentence.words == ("de", "le", "pain")
    assert list(sentence.parse.heads) == [2, 2, -1]


@pytest.mark.parametrize(
    "text", ["\ufeff" + ANT, ANT.replace("\n", "\r\n"), "\n\n" + ANT + "\n\n\n", ANT.rstrip("\n")]
)
def test_byte_order_mark_line_ends_and_blank_lines_do_not_matter(write: Write, text: str) -> None:
    assert [sentence.words for sentence in read_conllu(write(text))] == [("I", "saw", "an", "ant")]


def test_gzip_is_read(tmp_path: Path) -> None:
    path = tmp_path / "refs.conllu.gz"
    path.write_bytes(gzip.compress(ANT.encode()))
    assert len(read_conllu(str(path))) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ANT.replace("2\tnsubj", "0\tnsubj"), r"refs\.conllu, sentence 1 \(line 2\): 2 roots, but a tree has exactly one"),
        (ANT.replace("0\troot", "1\troot"), r"sentence 1 \(line 2\): no roots"),
        (ANT.replace("2\tobj", "3\tobj"), r"sentence 1 \(line 2\): token 3 is its own ancestor \(a cycle\)"),
        (ANT.replace("2\tobj", "4\tobj"), r"token 4 is its own ancestor"),
        (ANT.replace("2\tobj", "5\tobj"), r"sentence 1, line 5: the head must be 0 to 4, not '5'"),
        (ANT.replace("2\tobj", "_\tobj"), r"the head must be 0 to 4, not '_'"),
        (ANT.replace("3\tan\t", "4\tan\t"), r"line 4: token 3 expected, not '4'"),
        (ANT.replace("\tobj\t_\t_", "\tobj"), r"line 5: 8 columns, but CoNLL-U has 10"),
        (ANT + "\n" + ANT.replace("2\tnsubj", "0\tnsubj"), r"sentence 2 \(line 8\): 2 roots"),
    ],
    ids=["two roots", "no root", "cycle", "self", "outside", "no head", "numbering", "columns", "second sentence"],
)  # fmt: skip
def test_what_is_no_tree_is_refused_with_file_and_sentence(write: Write, text: str, message: str) -> None:
    with pytest.raises(ResourceError, match=message):
        load_trees(write(text))


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"no such file: .*none\.conllu"):
        load_trees(str(tmp_path / "none.conllu"))


def test_bytes_that_are_no_utf8_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.conllu").write_bytes(b"1\tcaf\xe9\t")
    with pytest.raises(ResourceError, match=r"x\.conllu: line 1 is not UTF-8 .*; convert it"):
        load_trees(str(tmp_path / "x.conllu"))


def test_a_file_with_too_few_sentences_is_refused(write: Write) -> None:
    trees = load_trees(write(ANT))
    with pytest.raises(
        ResourceError, match=r"has 1 sentences but the references have 2 .*first difference: sentence 2"
    ):
        trees.match_to(tokens("I saw an ant", "de le pain"))


def test_a_file_with_too_many_sentences_is_refused(write: Write) -> None:
    trees = load_trees(write(FRENCH + "\n" + ANT))
    with pytest.raises(
        ResourceError, match=r"has 2 sentences but the references have 1 .*first difference: sentence 1"
    ):
        trees.match_to(tokens("I saw an ant"))


def test_a_file_that_is_not_whole_may_have_more_sentences(write: Write) -> None:
    trees = load_trees(write(FRENCH + "\n" + ANT), whole=False)
    matched = trees.match_to(tokens("I saw an ant"))
    assert matched.parse(tokens("I saw an ant")).heads.tolist() == [1, -1, 3, 1]


def test_a_sentence_with_other_tokens_is_refused_with_its_number(write: Write) -> None:
    trees = load_trees(write(FRENCH + "\n" + ANT))
    with pytest.raises(
        ResourceError, match=r"sentence 2 \(line 8\): 4 tokens but the reference has 5: 'I saw an ant \.'"
    ):
        trees.match_to(tokens("de le pain", "I saw an ant ."))


def test_other_spellings_of_the_same_tokens_are_taken_in_order(write: Write) -> None:
    trees = load_trees(write(FRENCH + "\n" + ANT.replace("ant", "-LRB-")))
    references = tokens("DE LE PAIN", "I saw an (")
    assert trees.match_to(references).parse(references).heads.tolist() == [2, 2, -1, 1, -1, 3, 1]


def test_a_tree_over_another_word_is_refused_with_its_sentence(write: Write) -> None:
    trees = load_trees(write(FRENCH + "\n" + ANT))
    message = r"sentence 2 \(line 8\): token 4 is 'ant' but the reference has 'elk': 'I saw an elk'"
    with pytest.raises(ResourceError, match=message):
        trees.match_to(tokens("de le pain", "I saw an elk"))


def test_empty_texts_need_no_tree(write: Write) -> None:
    references = tokens("", "I saw an ant", "")
    column = load_trees(write(ANT)).match_to(references).parse(references)
    assert column.offsets.tolist() == [0, 0, 4, 4]


def test_a_text_without_a_tree_is_named(write: Write) -> None:
    trees = load_trees(write(ANT))
    with pytest.raises(ResourceError, match=r"refs\.conllu: no tree over the tokens 'a cat'"):
        trees.parse(tokens("a cat"))


def test_trees_of_references_and_systems_come_from_two_files(write: Write) -> None:
    trees = load_trees(write(ANT), write(FRENCH, "system.conllu"))
    matched = trees.match_to(tokens("I saw an ant"))
    assert matched.parse(tokens("de le pain")).heads.tolist() == [2, 2, -1]


def test_the_identity_follows_the_trees(write: Write) -> None:
    first = load_trees(write(ANT)).identity
    assert load_trees(write(ANT.replace("# text", "# other"))).identity == first
    assert load_trees(write(ANT.replace("2\tobj", "1\tobj"))).identity != first


def test_what_is_written_is_read_back(write: Write) -> None:
    column = tokens("I saw an ant", "", "de le pain")
    trees = tree_column([[1, -1, 3, 1], [], [2, 2, -1]], lemmas=list("abcdefg"), tags=["X"] * 7)
    text = "".join(render_conllu(column, trees, ["I saw an ant", "", "de le pain"]))
    again = load_trees(write(text)).match_to(column).parse(column)
    assert again.heads.tolist() == trees.heads.tolist()
    assert list(again.lemmas) == list("abcdefg")
    assert "# sent_id = 3\n# text = de le pain\n1\tde\te\tX\t_\t_\t3\t_\t_\t_\n" in text
