"""Tokenizers of the user: programs and SentencePiece models."""

import os
import sys
from pathlib import Path

import pytest

import tertium
from tertium.catalog import parse_metrics
from tertium.errors import ConsentError, InputError, MissingExtraError, OptionError, ResourceError
from tertium.progress import use_progress
from tertium.text import Texts

TOKENIZER = """\
import sys
for line in sys.stdin:
    open("calls.txt", "a").write(line)
    print(" ".join(line.replace("ll", "l l").split()))
"""


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "tok.py"
    path.write_text(f"#!{sys.executable}\n{TOKENIZER}", encoding="utf-8")
    path.chmod(0o755)
    return "command:./tok.py"


on_unix = pytest.mark.skipif(os.name == "nt", reason="the program is a script")


@on_unix
def test_a_program_cuts_texts_into_tokens(program: str) -> None:
    texts = Texts(["well done", "", "two\nlines", "{}"])
    assert [texts.tokens(program).words(i) for i in range(4)] == [
        ["wel", "l", "done"],
        [],
        ["two", "lines"],
        ["{}"],
    ]
    assert Texts(["WELL"]).tokens(program, lowercase=True).words(0) == ["wel", "l"]


@on_unix
def test_metrics_use_it_and_sign_its_checksum(program: str) -> None:
    result = tertium.score(["all is well"], ["al is well"], metrics=f"wer:tokenizer={program}")
    signature = result.evaluation.signature(f"wer:tokenizer={program}")
    assert "|tok:command:tok.py[" in signature
    assert result[f"wer:tokenizer={program}"]["system"].value == pytest.approx(100 * 1 / 4)
    shared = tertium.score(["all is well"], ["al is well"], metrics="wer", tokenizer=program)
    assert shared.evaluation.signature("wer") == signature
    with pytest.raises(OptionError, match="is a file that the signature only names"):
        parse_metrics([signature])


@on_unix
def test_answers_are_kept(program: str) -> None:
    for _ in range(2):
        tertium.score(["all is well"], ["al is well"], metrics=f"wer:tokenizer={program}")
    assert len(Path("calls.txt").read_text(encoding="utf-8").splitlines()) == 2


@on_unix
def test_a_program_that_ends_badly_is_one_warning_for_all_texts(program: str) -> None:
    with Path("tok.py").open("a", encoding="utf-8") as file:
        file.write("sys.exit(1)\n")
    for _ in range(2):  # the second run warns, too
        (warning,) = list_messages(f"wer:tokenizer={program},bleu:tokenizer={program}")
        assert "ended with exit code 1 after its last answer; its answers are used, but not cached" in warning


def list_messages(metrics: str) -> list[str]:
    """Score two systems; return the messages meanwhile."""
    messages: list[str] = []
    with use_progress(None, lambda _, text: messages.append(text)):
        tertium.score({"a": ["all is well", "no"], "b": ["all was well", "yes"]}, ["all is", "oh"], metrics)
    return messages


@on_unix
@pytest.mark.parametrize(
    ("loop", "message"),
    [
        ("for line in list(sys.stdin)[1:]: print(line.strip())", "printed 1 answer for 2 lines"),
        ("for line in sys.stdin: print(line.strip()); print(1)", "printed more than 2 answers for 2 lines"),
        ("while True: print(1)", "printed more than 2 answers for 2 lines"),
    ],
)
def test_a_wrong_number_of_lines_is_an_error_and_none_is_kept(loop: str, message: str, program: str) -> None:
    Path("tok.py").write_text(f"#!{sys.executable}\nimport sys\n{loop}\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(ResourceError, match=rf"tok.py\[\w+\] {message}: print one answer for each line$"):
            tertium.score(["all is well", "one"], ["so it goes", "two"], metrics=f"wer:tokenizer={program}")


@on_unix
def test_tokens_must_be_utf_8(program: str) -> None:
    code = "import sys\nfor line in sys.stdin: sys.stdout.buffer.write(line.encode('latin-1'))\n"
    Path("tok.py").write_text(f"#!{sys.executable}\n{code}", encoding="utf-8")
    with pytest.raises(ResourceError, match=r"failed on the line 'né': it printed 'n.': it is not UTF-8"):
        Texts(["né"]).tokens(program)


@on_unix
def test_texts_may_look_like_requests_of_a_metric(program: str) -> None:
    texts = Texts(['{"id": "a"}', '{"id":  "a"}', "b"])
    assert [texts.tokens(program).words(i) for i in range(3)] == [
        ['{"id":', '"a"}'],
        ['{"id":', '"a"}'],
        ["b"],
    ]


@on_unix
def test_files_in_parts_use_it_too(program: str) -> None:
    for name in ("a.txt", "b.txt"):
        Path(name).write_text("all is well\nso it goes\n", encoding="utf-8")
    paths = Path("a.txt"), Path("b.txt")
    whole = tertium.score(*paths, metrics="bleu", tokenizer=program)
    parts = tertium.score(*paths, metrics="bleu", tokenizer=program, batch_size=1)
    assert parts["bleu"] == whole["bleu"]


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("wer:tokenizer=command:./none.py", r"the program ./none.py does not exist"),
        ("wer:tokenizer=command:", "the command is empty"),
        (
            "wer:tokenizer=comand:./tok.py",
            "unknown tokenizer 'comand:./tok.py'; choose from .*command:PROGRAM",
        ),
    ],
)
def test_mistakes_are_found_before_the_work(label: str, message: str) -> None:
    with pytest.raises((ResourceError, OptionError, LookupError), match=message):
        tertium.score(["a"], ["a"], metrics=label)


def test_a_preset_starts_no_program(program: str) -> None:
    Path("mine.toml").write_text(f'metric = "wer"\n[options]\ntokenizer = "{program}"\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.toml names a program or a model as its tokenizer"):
        tertium.score(["a"], ["a"], metrics="wer@mine.toml")


@on_unix
def test_a_run_starts_no_program(program: str) -> None:
    for name in ("a.txt", "b.txt"):
        Path(name).write_text("all is well\n", encoding="utf-8")
    tertium.score(Path("a.txt"), Path("b.txt"), metrics="wer", tokenizer=program).save("a.run")
    Path("calls.txt").unlink()
    tertium.open_run("a.run").render("text")
    with pytest.raises(ConsentError, match=r"a\.run would run the program \./tok\.py; if you trust it"):
        tertium.rerun("a.run")
    with pytest.raises(ConsentError, match=r"a run would run the program \./tok\.py; name the metric"):
        tertium.compare("a.run", "b.txt")
    assert not Path("calls.txt").exists()


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(MissingExtraError, match=r"needs sentencepiece: pip install .*sentencepiece"):
        tertium.score(["a"], ["a"], metrics="bleu", tokenizer="sentencepiece:none.model")


@pytest.mark.needs("sentencepiece")
def test_a_sentencepiece_model_cuts_texts_as_its_package_does() -> None:
    import sentencepiece  # noqa: PLC0415 - an extra

    Path("text.txt").write_text("all is well\nwell done\nall done\n" * 50, encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input="text.txt", model_prefix="mine", vocab_size=14, minloglevel=2
    )
    model = sentencepiece.SentencePieceProcessor(model_file="mine.model")
    texts = ["all is well done", "", "isle"]
    column = Texts(texts).tokens("sentencepiece:mine.model")
    assert [column.words(i) for i in range(3)] == [model.encode(text, out_type=str) for text in texts]
    result = tertium.score(
        ["all done"], ["all is done"], metrics="bleu", tokenizer="sentencepiece:mine.model"
    )
    assert "|tok:sentencepiece:mine.model[" in result.evaluation.signature("bleu")
    for name in ("none.model", "text.txt"):
        with pytest.raises(ResourceError, match="SentencePiece model"):
            tertium.score(["a"], ["a"], metrics="bleu", tokenizer=f"sentencepiece:{name}")
