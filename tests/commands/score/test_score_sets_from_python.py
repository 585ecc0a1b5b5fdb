"""`score_sets`: folders, manifests, patterns, formats and bad input."""

import json
from pathlib import Path

import pytest

import tertium
from tertium.errors import InputError, MissingExtraError, OptionError, TertiumError, UnknownNameError
from tertium.text import tokenizers

REFERENCE = [f"the cat number {k} sat on the mat ." for k in range(120)]


def write_set(folder: Path, systems: dict[str, str], n_segments: int = 120) -> None:
    references = REFERENCE[:n_segments]
    (folder / "systems").mkdir(parents=True)
    (folder / "ref.txt").write_text("\n".join(references) + "\n")
    for name, word in systems.items():
        text = "\n".join(line.replace("sat", word) for line in references)
        (folder / "systems" / f"{name}.txt").write_text(text + "\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_set(tmp_path / "suite" / "de-en", {"one": "sat", "other": "sits"})
    write_set(tmp_path / "suite" / "fr-en", {"one": "lay", "other": "sat"})
    return tmp_path / "suite"


def test_averages_equal_those_of_single_runs(folder: Path) -> None:
    result = tertium.score_sets(folder, "bleu,chrf")
    for label in ("bleu", "chrf"):
        single = [
            tertium.score(list((folder / pair / "systems").glob("*.txt")), folder / pair / "ref.txt", label)[
                label
            ]
            for pair in ("de-en", "fr-en")
        ]
        for row in result.summary.summarise(label):
            scores = [scores[row.system].value for scores in single]
            assert row.average == pytest.approx(sum(scores) / 2)
            assert list(row.scores.values()) == pytest.approx(scores)


def test_every_format_has_all_scores(folder: Path) -> None:
    result = tertium.score_sets(folder, "chrf", autorank=True)
    data = json.loads(result.render("json"))
    assert len(data["scores"]) == 4
    assert set(data["auto_ranks"]) == {"one", "other"}
    assert len(result.render("csv").splitlines()) == 5
    text = result.render("text")
    assert "de-en" in text
    assert "AutoRank" in text


def test_language_pairs_can_be_selected(folder: Path) -> None:
    assert list(tertium.score_sets(folder, "wer", language="fr-en").results) == ["fr-en"]
    with pytest.raises(InputError, match="there is no test set for ja-en"):
        tertium.score_sets(folder, "wer", language="ja-en")


def test_manifests_name_the_files(folder: Path) -> None:
    expected = tertium.score_sets(folder, "wer").summary.summarise("wer")
    toml = folder / "suite.toml"
    toml.write_text(
        "".join(
            f'[[test_set]]\nname = "{pair}"\nlanguage = "{pair}"\nreferences = "{pair}/ref.txt"\n'
            f'systems = "{pair}/systems/{{system}}.txt"\n'
            for pair in ("de-en", "fr-en")
        )
    )
    tsv = folder / "suite.tsv"
    rows = [
        f"{p}\t{p}\t{s}\t{p}/systems/{s}.txt\t{p}/ref.txt"
        for p in ("de-en", "fr-en")
        for s in ("one", "other")
    ]
    tsv.write_text("\n".join(["test_set\tlanguage\tsystem\tfile\treference", *rows]) + "\n")
    for manifest in (toml, tsv):
        found = tertium.score_sets(manifest, "wer").summary.summarise("wer")
        assert [(row.system, row.average) for row in found] == [(row.system, row.average) for row in expected]


def test_patterns_find_the_outputs_of_a_test_set(folder: Path, tmp_path: Path) -> None:
    for pair in ("de-en", "fr-en"):
        for system in ("mine", "yours"):
            (tmp_path / "out" / system).mkdir(parents=True, exist_ok=True)
            (tmp_path / "out" / system / f"suite.{pair}.txt").write_text("\n".join(REFERENCE) + "\n")
    pattern = str(tmp_path / "out" / "{system}" / "{set}.{pair}.txt")
    result = tertium.score_sets(test_set=str(folder), hypotheses=pattern, metrics="wer")
    assert {"mine", "yours"} <= set(result.summary.systems)


def test_one_run_holds_all_test_sets(folder: Path, tmp_path: Path) -> None:
    result = tertium.score_sets(folder, "wer,chrf", autorank=True)
    result.save(tmp_path / "all.run", command="tertium score suite")
    shown = tertium.show(tmp_path / "all.run")
    assert shown.render("json") == result.render("json")
    assert tertium.open_run(f"{tmp_path}/all.run#de-en")["wer"]["one"].value == 0
    facts = tertium.show(tmp_path / "all.run", "inputs").to_dict()
    assert {each["test_set"] for each in facts["inputs"]} == {"de-en", "fr-en"}
    with pytest.raises(InputError, match=r"holds the test sets de-en, fr-en; choose one: .*all\.run#de-en"):
        tertium.open_run(tmp_path / "all.run")
    with pytest.raises(UnknownNameError, match="neither a test set nor a system 'xx'"):
        tertium.show(f"{tmp_path}/all.run#xx")


def test_a_run_of_all_test_sets_is_computed_again(folder: Path, tmp_path: Path) -> None:
    tertium.score_sets(folder, "wer").save(tmp_path / "all.run")
    assert tertium.rerun(tmp_path / "all.run").is_identical
    moved = folder.rename(tmp_path / "moved")
    with pytest.raises(InputError, match="no such file"):
        tertium.rerun(tmp_path / "all.run")
    assert tertium.rerun(tmp_path / "all.run", [str(moved)]).is_identical
    with pytest.raises(OptionError, match="give the folder that has moved"):
        tertium.rerun(tmp_path / "all.run", [str(moved / "de-en" / "ref.txt")])
    other = moved / "fr-en" / "systems" / "one.txt"
    other.write_text(other.read_text().replace("mat", "hat", 1))
    found = tertium.rerun(tmp_path / "all.run", [str(moved)])
    assert found.exit_code == 3
    assert [(each["test_set"], each["system"]) for each in found.to_dict()["moved"]] == [("fr-en", "one")]
    assert "wer of one on fr-en" in found.render()


def test_a_gate_holds_on_every_test_set(folder: Path, tmp_path: Path) -> None:
    tertium.score_sets(folder, "wer").save(tmp_path / "all.run")
    run = f"{tmp_path}/all.run"
    result = tertium.gate(f"{run}#one", f"{run}#other", metrics="wer", not_worse=1.0)
    verdicts = {finding.subset: finding.verdict for finding in result.findings}
    assert verdicts == {"de-en": "pass", "fr-en": "fail"}
    assert not result.passes
    assert "all.run#fr-en#other" in result.next_command
    assert tertium.gate(f"{run}#de-en#one", f"{run}#de-en#other", metrics="wer", not_worse=1.0).passes
    tertium.score_sets(folder, "wer", language="de-en").save(tmp_path / "less.run")
    with pytest.raises(InputError, match="do not both have the test sets fr-en"):
        tertium.gate(f"{tmp_path}/less.run#one", f"{run}#one", metrics="wer")


def test_a_damaged_run_of_many_test_sets_is_named(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "all.run"
    tertium.score_sets(folder, "wer").save(path)
    data = bytearray(path.read_bytes())
    data[data.index(b"2/segments.jsonl.gz") + 60] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"all\.run is damaged"):
        tertium.show(path)
    with pytest.raises(OptionError, match="is a folder; give a file"):
        tertium.score_sets(folder, "wer").save(tmp_path)


def test_the_run_must_not_replace_an_input(folder: Path) -> None:
    result = tertium.score_sets(folder, "wer")
    with pytest.raises(OptionError, match=r"ref\.txt is an input"):
        result.save(folder / "de-en" / "ref.txt")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.toml", "x = 1\n", "needs a table"),
        ("a.toml", "[[test_set]]\nname = 1\n", "test set 1: it needs name"),
        ("a.toml", "[[", "is not TOML"),
        ("a.tsv", "system\tfile\n", "line 1: expected a header with the columns"),
        ("a.toml", "test_set = [1]\n", "test set 1: it needs name"),
        (
            "a.toml",
            '[[test_set]]\nname = "x"\nreferences = "r"\nsystems = "{system}.out"\n',
            r"no file matches {system}\.out",
        ),
        (
            "a.toml",
            '[[test_set]]\nname = "x"\nreferences = "r"\nsystems = {a = "b"}\nsource = 1\n',
            "source must be a text, not 1",
        ),
        ("a.tsv", "test_set\tsystem\tfile\treference\na\tb\n", "line 2: 2 columns instead of 4"),
        (
            "a.tsv",
            "test_set\tsystem\tfile\treference\na\tb\tc\td\na\tb\te\td\n",
            "line 3: b occurs twice in a",
        ),
        ("a.txt", "", "neither a folder nor a manifest"),
    ],
)
def test_bad_manifests_are_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        tertium.score_sets(tmp_path / name, "wer")


def test_a_problem_names_its_test_set(folder: Path) -> None:
    (folder / "fr-en" / "systems" / "one.txt").write_text("only one line\n")
    with pytest.raises(InputError, match=r"fr-en: .*one.txt"):
        tertium.score_sets(folder, "wer")


def test_averages_of_test_sets_that_are_too_small_are_not_tested(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write_set(tmp_path / name, {"one": "sat", "other": "sits"}, n_segments=120 if name == "c" else 20)
    result = tertium.score_sets(tmp_path, "bleu")
    best, worst = result.summary.summarise("bleu")
    assert (best.overall, best.rank_range, worst.overall, worst.rank_range) == ("", None, "", None)
    assert best.letters == {"a": "", "b": "", "c": "a"}
    assert "the average is not tested: a and b are too small" in result.render("text")
    page = tertium.report(result).render()
    assert "The averages are not tested: a and b are too small." in page
    assert (
        "On the only tested test set one system is significantly better on BLEU than all others: one (c)."
        in page
    )


def test_test_sets_whose_tokenizer_is_missing_are_named_before_any_is_scored(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_set(folder / "en-ja", {"one": "sat"})
    write_set(folder / "de-ja", {"one": "sat"})
    write_set(folder / "en-ko", {"one": "sat"})
    monkeypatch.setattr(
        tokenizers.Tokenizer, "is_installed", property(lambda row: row.name in {"13a", "chrf"})
    )
    scored = list[str]()
    monkeypatch.setattr(
        "tertium.commands.score.score.report_progress", lambda what, done, total: scored.append(what)
    )
    with pytest.raises(MissingExtraError) as caught:
        tertium.score_sets(folder, "bleu,chrf")
    assert scored == []
    assert str(caught.value) == (
        "de-ja: tokenizer ja-mecab is not installed: pip install 'sacrebleu[ja]>=2.6', or use the tokenizer char for this"
        " language, which needs no package; en-ja: tokenizer ja-mecab is not installed: pip install 'sacrebleu[ja]>=2.6',"
        " or use the tokenizer char for this language, which needs no package; en-ko: tokenizer ko-mecab is not"
        " installed: pip install 'sacrebleu[ko]>=2.6', or use the tokenizer 13a for this language, which needs no package;"
        " language=de-en,fr-en scores the others"
    )
    assert len(tertium.score_sets(folder, "bleu,chrf", language="de-en,fr-en").results) == 2
    assert len(tertium.score_sets(folder, "chrf").results) == 5


def test_something_must_be_scored() -> None:
    with pytest.raises(OptionError, match="give a folder"):
        tertium.score_sets()


def test_parts_give_the_same_scores(folder: Path, tmp_path: Path) -> None:
    expected = tertium.score_sets(folder, "wer,bleu").to_dict()["scores"]
    in_parts = tertium.score_sets(folder, "wer,bleu", batch_size=50, resume=tmp_path / "parts")
    plain = [{**each, "letters": ""} for each in expected]  # parts are resampled in another way
    assert [{**each, "letters": ""} for each in in_parts.to_dict()["scores"]] == plain
    assert {path.name for path in (tmp_path / "parts").iterdir()} == {"de-en", "fr-en"}
    with pytest.raises(OptionError, match="scored in parts cannot be saved"):
        in_parts.save(tmp_path / "all.run")


@pytest.mark.slow
def test_one_cluster_scores_all_test_sets(folder: Path) -> None:
    pytest.importorskip("distributed")
    expected = tertium.score_sets(folder, "wer").to_dict()["scores"]
    found = tertium.score_sets(folder, "wer", engine="dask", workers=1).to_dict()["scores"]
    assert [each["score"] for each in found] == [each["score"] for each in expected]


@pytest.mark.parametrize("form", ["text", "csv", "tsv", "json", "md", "latex", "html"])
def test_every_format_names_all_test_sets(folder: Path, form: str) -> None:
    text = tertium.score_sets(folder, "wer").render(form)
    assert "de-en" in text
    assert "fr-en" in text


def test_several_folders_are_one_table(folder: Path, tmp_path: Path) -> None:
    write_set(tmp_path / "other" / "de-en", {"one": "sat"})
    write_set(tmp_path / "other" / "ja-en", {"one": "sat"})
    result = tertium.score_sets([folder, tmp_path / "other"], "wer")
    assert list(result.results) == ["suite de-en", "fr-en", "other de-en", "ja-en"]
    row = next(row for row in result.summary.summarise("wer") if row.system == "other")
    assert row.scores["ja-en"] is None


def test_domains_select_segments(folder: Path) -> None:
    for pair in ("de-en", "fr-en"):
        (folder / pair / "columns.tsv").write_text("domain\n" + "news\nsocial\n" * 60)
    result = tertium.score_sets(folder, "wer", where="domain=news")
    assert [scored.n_segments for scored in result.summary.sets] == [60, 60]
    (folder / "fr-en" / "columns.tsv").unlink()
    with pytest.raises(TertiumError, match=r"fr-en: .*domain"):
        tertium.score_sets(folder, "wer", where="domain=news")


def test_paths_of_a_manifest_are_relative_to_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    (folder / "suite.toml").write_text(
        '[[test_set]]\nname = "news"\nlanguage = "de-en"\nreferences = "de-en/ref.txt"\n'
        'systems = "de-en/systems/{system}.txt"\n'
    )
    assert tertium.score_sets("suite/suite.toml", "wer").summary.systems == ["one", "other"]


def test_a_page_is_made_of_a_result(folder: Path) -> None:
    pytest.importorskip("jinja2")
    result = tertium.score_sets(folder, "wer")
    page = tertium.report(result).render()
    assert page.count('id="set-') == 2
    with pytest.raises(InputError, match="several test sets; give one of them"):
        tertium.compare(result)
    assert tertium.compare(result["de-en"]).render()
