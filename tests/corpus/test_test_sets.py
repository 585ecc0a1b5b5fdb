"""Test sets of other tools, in small folders with their real layouts."""

from pathlib import Path

import pytest

from tertium.corpus.judgments.folders import read_judged_folder
from tertium.corpus.judgments.mtme import find_metric_scores
from tertium.corpus.judgments.readers import SegmentJudgments, SystemJudgments
from tertium.corpus.test_sets import find_test_set, list_test_sets, open_pair
from tertium.errors import InputError, UnknownNameError

SYSTEMS = {"online-A": ["the cat", "a dog ran", "it"], "online-B": ["cat", "a dog", "it rained"]}


def write(path: Path, lines: list[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def make_mtme(root: Path) -> Path:
    """Create a test set in mt-metrics-eval's layout: two references, one of them judged like a system."""
    write(root / "sources/de-en.txt", ["die Katze", "ein Hund lief", "es regnete"])
    write(root / "documents/de-en.docs", ["news doc1", "news doc1", "social doc2"])
    write(root / "references/de-en.refA.txt", ["the cat", "a dog ran", "it rained"])
    write(root / "references/de-en.refB.txt", ["a cat", "one dog ran", "there was rain"])
    for name, lines in {**SYSTEMS, "refB": ["a cat", "one dog ran", "there was rain"]}.items():
        write(root / f"system-outputs/de-en/{name}.txt", lines)
    mqm = [
        ("online-A", "0"),
        ("online-A", "-1"),
        ("online-A", "None"),
        ("online-B", "-5"),
        ("online-B", "-2"),
    ]
    mqm += [("online-B", "0"), ("refB", "0"), ("refB", "0"), ("refB", "0")]
    write(root / "human-scores/de-en.mqm.seg.score", [f"{system}\t{score}" for system, score in mqm])
    write(root / "human-scores/de-en.mqm.sys.score", ["online-A -0.5", "online-B -2.3", "refB 0"])
    write(root / "human-scores/de-en.wmt-z.sys.score", ["online-A 0.1", "online-B 0.2", "refB 0.9"])
    write(root / "human-scores/de-en.mqm.domain.score", ["news online-A 1"])
    scores = [f"{name} {value}" for name in SYSTEMS for value in (3, 2, 1)]
    write(root / "metric-scores/de-en/BLEU-refA.seg.score", scores)
    write(root / "metric-scores/de-en/BLEU-refA.sys.score", [f"{name} 2" for name in SYSTEMS])
    write(root / "metric-scores/de-en/BLEU-refB.seg.score", scores)
    write(root / "metric-scores/de-en/QE-src.seg.score", scores)
    write(root / "system-outputs/en-fi/online-A.txt", ["x"])  # without a reference: left out
    return root


def make_sacrebleu(root: Path) -> Path:
    """Create test sets in sacreBLEU 2's layout, one with two references and one in a subfolder."""
    write(root / "wmt15/wmt15.de-en.src", ["die Katze"])
    write(root / "wmt15/wmt15.de-en.ref", ["the cat"])
    write(root / "wmt15/wmt15.de-en.docid", ["1"])
    write(root / "wmt15/raw/test/newstest2015-deen-src.de.src", ["raw"])
    write(root / "wmt20/dev/wmt20_dev.zh-en.src", ["猫"])
    write(root / "wmt20/dev/wmt20_dev.zh-en.ref-A", ["the cat"])
    write(root / "wmt20/dev/wmt20_dev.zh-en.ref-B", ["a cat"])
    write(root / "wmt99/wmt99.de-en.src", ["without a reference"])
    return root


def make_submitted(root: Path) -> Path:
    """Create a folder in the layout of WMT's archives of submitted systems."""
    write(root / "txt/references/newstest2015-deen-ref.en.txt", ["the cat"])
    write(root / "txt/sources/newstest2015-deen-src.de.txt", ["die Katze"])
    write(root / "txt/system-outputs/newstest2015/de-en/newstest2015.online-A.0.de-en.txt", ["a cat"])
    return root


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.delenv("SACREBLEU", raising=False)
    make_sacrebleu(tmp_path / ".sacrebleu")
    make_mtme(tmp_path / ".mt-metrics-eval/mt-metrics-eval-v2/wmt22")
    return tmp_path


def test_sets_of_both_tools_are_listed(home: Path) -> None:
    found = {
        test_set.name: (test_set.kind, [pair.pair for pair in test_set.pairs])
        for test_set in list_test_sets()
    }
    assert found == {
        "wmt15": ("sacreBLEU", ["de-en"]),
        "wmt20/dev": ("sacreBLEU", ["zh-en"]),
        "wmt22": ("mt-metrics-eval", ["de-en"]),
    }


def test_sacrebleus_folder_may_be_named_by_its_variable(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU", str(make_sacrebleu(home / "elsewhere")))
    assert find_test_set("wmt15").path == home / "elsewhere/wmt15"


def test_all_references_of_a_pair_are_taken(home: Path) -> None:
    files = open_pair("wmt20/dev", "zh-en")
    assert [path.name for path in files.references] == ["wmt20_dev.zh-en.ref-A", "wmt20_dev.zh-en.ref-B"]
    assert files.source is not None
    assert open_pair("wmt15", None).pair == "de-en"


@pytest.mark.parametrize(
    ("name", "pair", "message"),
    [
        (
            "wmt14",
            "de-en",
            r"'wmt14' is not on this machine; did you mean wmt15\? .*'sacrebleu --echo src -l PAIR -t wmt14'",
        ),
        (
            "wmt15",
            "en-de",
            r"wmt15 is on this machine for de-en, not for en-de; 'sacrebleu --echo src -t wmt15 -l en-de'",
        ),
        ("wmt22", "en-de", r"wmt22 is on this machine for de-en, not for en-de$"),
    ],
)
def test_what_is_missing_is_named_with_what_to_do(home: Path, name: str, pair: str, message: str) -> None:
    with pytest.raises((InputError, UnknownNameError), match=message):
        open_pair(name, pair)


def test_an_archive_of_submitted_systems_is_read_where_it_was_unpacked(tmp_path: Path) -> None:
    found = find_test_set(str(make_submitted(tmp_path / "wmt15-submitted-data")))
    (pair,) = found.pairs
    assert (found.kind, pair.pair, list(pair.systems)) == ("WMT", "de-en", ["online-A.0"])
    assert pair.source is not None


def test_a_packed_archive_must_be_unpacked_first(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is an archive: unpack it"):
        find_test_set(str(write(tmp_path / "wmt15.tgz", [])))


def test_a_folder_of_several_sets_asks_for_one(home: Path) -> None:
    root = home / ".mt-metrics-eval/mt-metrics-eval-v2"
    with pytest.raises(InputError, match="holds the test sets wmt22: give one of them"):
        find_test_set(str(root))
    with pytest.raises(InputError, match=r"holds several test sets: give one of .*wmt22"):
        read_judged_folder(str(root))


def test_mt_metrics_evals_folder_is_read_as_it_is(home: Path) -> None:
    folder = read_judged_folder("wmt22")
    (corpus,) = folder.corpora.values()
    assert list(corpus.systems) == ["online-A", "online-B"], "a reference is no system"
    assert list(corpus.references[0]) == ["the cat"]
    assert corpus.document_ids == ["doc1", "doc1", "doc2"]
    assert corpus.columns["domain"] == ["news", "news", "social"]
    segments, systems = folder.judgments
    assert isinstance(segments, SegmentJudgments)
    assert isinstance(systems, SystemJudgments)
    assert segments.path.endswith("de-en.mqm.seg.score")
    assert segments.scores.tolist() == [0, -1, -5, -2, 0]
    assert segments.segments == ["1", "2", "1", "2", "3"]
    assert systems.scores.tolist() == [-0.5, -2.3]
    assert folder.notes == [
        "de-en: the reference is refA (official); also available: refB",
        "de-en: the human scores are mqm; also available: wmt-z",
    ]


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("BLEU", ["BLEU-refA.seg.score", "BLEU-refA.sys.score"]),
        ("BLEU-refB", ["BLEU-refB.seg.score"]),
        ("QE", ["QE-src.seg.score"]),
        ("COMET", []),
    ],
)
def test_scores_of_metrics_are_found_by_name(tmp_path: Path, name: str, files: list[str]) -> None:
    root = make_mtme(tmp_path / "wmt22")
    assert [Path(path).name for path in find_metric_scores(root, name)] == files


@pytest.mark.parametrize(
    ("file", "lines", "message"),
    [
        ("documents/de-en.docs", ["news doc1", "news", "news doc2"], "line 2 is not DOMAIN DOCUMENT"),
        (
            "human-scores/de-en.mqm.sys.score",
            ["online-A good"],
            "line 1 has the score 'good', which is not a finite number",
        ),
    ],
)
def test_damaged_files_are_named_with_the_line(
    tmp_path: Path, file: str, lines: list[str], message: str
) -> None:
    root = make_mtme(tmp_path / "wmt22")
    write(root / file, lines)
    with pytest.raises(InputError, match=message):
        read_judged_folder(str(root))


def test_news_systems_of_wmt_are_found(tmp_path: Path) -> None:
    """The layout of the repositories wmt21-news-systems (txt/) and wmt23-news-systems (txt-ts/)."""
    root = tmp_path / "wmt21-news-systems"
    for reference in ("A", "B"):
        write(root / f"txt/references/newstest2021.cs-en.ref.{reference}.en", ["a cat"])
    write(root / "txt/references/florestest2021.bn-hi.ref.A.hi", ["x"])
    write(root / "txt/sources/newstest2021.cs-en.src.cs", ["kočka"])
    write(root / "txt/system-outputs/newstest2021.cs-en.hyp.Online-A.en", ["cat"])
    write(root / "txt/system-outputs/newstest2021.cs-en.hyp.CUNI.v2.en", ["the cat"])
    write(root / "txt/system-outputs/florestest2021.bn-hi.hyp.GTCOM.hi", ["y"])
    found = find_test_set(str(root))
    assert found.kind == "WMT"
    flores, news = found.pairs
    assert (flores.pair, list(flores.systems), flores.source) == ("bn-hi", ["GTCOM"], None)
    assert [path.name for path in news.references] == ["newstest2021.cs-en.ref.A.en"]
    assert list(news.systems) == ["CUNI.v2", "Online-A"]
    assert news.source is not None


def test_a_folder_of_language_pairs_is_read_for_the_wanted_pairs(tmp_path: Path) -> None:
    for pair in ("de-en", "fr-en"):
        write(tmp_path / pair / "ref.txt", ["a"])
        write(tmp_path / pair / "systems/A.txt", ["a"])
    folder = read_judged_folder(str(tmp_path), pairs=["fr-en"], reads_judgments=False)
    assert list(folder.corpora) == ["fr-en"]
    (tmp_path / "fr-en/systems/A.txt").unlink()
    with pytest.raises(InputError, match=r"fr-en/systems has no \.txt file"):
        read_judged_folder(str(tmp_path), reads_judgments=False)


def test_a_folder_without_language_pairs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no language pair: it needs LP/ref\.txt and LP/systems"):
        read_judged_folder(str(tmp_path), reads_judgments=False)
