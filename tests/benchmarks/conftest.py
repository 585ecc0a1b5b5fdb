"""A tiny copy of the judged data that the papers' page is made of."""

import gzip
import json
import lzma
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

WORDS = (
    "the",
    "a",
    "man",
    "house",
    "river",
    "goes",
    "sees",
    "near",
    "old",
    "new",
    "small",
    "today",
    "with",
    "city",
)
SYSTEMS = ("best", "good", "fair", "poor")
N_SEGMENTS = 12


@pytest.fixture(scope="session")
def judged_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """WMT12 and WMT15 with four systems a pair, and d2t-sfres: the worse the system, the more words are wrong."""
    folder = tmp_path_factory.mktemp("judged")
    rng = random.Random(1)
    _write_year(folder / "wmt12", ("cs-en", "de-en", "es-en", "fr-en"), rng)
    _write_year(folder / "wmt15", ("de-en", "fi-en", "ru-en"), rng)
    _write_assessments(folder / "wmt15", ("cs-en", "de-en", "fi-en", "ru-en"), rng)
    _write_generated(folder / "d2t-sfres.jsonl.xz", rng)
    return folder


def _sentence(rng: random.Random) -> list[str]:
    return [rng.choice(WORDS) for _ in range(rng.randint(4, 12))]


def _spoil(words: Sequence[str], share: float, rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) if rng.random() < share else word for word in words)


def _write_year(year: Path, pairs: Sequence[str], rng: random.Random) -> None:
    rows, scores = ["lp\tseg_id\tjudge\tranking_id\tsys1\trank1\tsys2\trank2"], ["lp\tsystem\thuman"]
    for pair in pairs:
        (year / pair / "systems").mkdir(parents=True)
        references = [_sentence(rng) for _ in range(N_SEGMENTS)]
        texts = "\n".join(" ".join(words) for words in references) + "\n"
        for name in ("ref.txt", "src.txt"):
            (year / pair / name).write_text(texts, encoding="utf-8")
        for i, system in enumerate(SYSTEMS):
            outputs = [_spoil(words, 0.15 * (i + 1), rng) for words in references]
            (year / pair / "systems" / f"{system}.txt").write_text(
                "\n".join(outputs) + "\n", encoding="utf-8"
            )
            scores.append(f"{pair}\t{system}\t{1 - 0.2 * i}")
        rows += _rankings(pair, rng)
    with gzip.open(year / "rankings.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")
    (year / "system-scores.tsv").write_text("\n".join(scores) + "\n", encoding="utf-8")


def _rankings(pair: str, rng: random.Random) -> list[str]:
    """Each segment is ranked by one of two judges, the second of whom uses worse ranks; every pair is a row."""
    rows = []
    for segment in range(1, N_SEGMENTS + 1):
        judge = segment % 2
        ranks = {system: min(5, i + 1 + judge * rng.randint(0, 1)) for i, system in enumerate(SYSTEMS)}
        for i, one in enumerate(SYSTEMS):
            for other in SYSTEMS[i + 1 :]:
                cells = (pair, segment, f"judge{judge}", segment, one, ranks[one], other, ranks[other])
                rows.append("\t".join(map(str, cells)))
    return rows


def _write_assessments(year: Path, pairs: Sequence[str], rng: random.Random) -> None:
    rows = ["lp\tsystem\tseg_id\tref\thyp\thuman\tsrc\torig_seg_id"]
    for pair in pairs:
        for segment in range(1, 25):
            words, share = _sentence(rng), rng.random()
            cells = (pair, "-", segment, " ".join(words), _spoil(words, share, rng), 1 - share, "x", "-")
            rows.append("\t".join(map(str, cells)))
    (year / "da-segments.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def _write_generated(path: Path, rng: random.Random) -> None:
    scales = ("informativeness", "naturalness", "quality")
    with lzma.open(path, "wt", encoding="utf-8") as file:
        for i in range(20):
            words, share = _sentence(rng), rng.random()
            references = [" ".join(words)] * 2 + [_spoil(words, 0.2, rng) for _ in range(i % 4)]
            human = {scale: 1 - share + 0.1 * rng.random() for scale in scales}
            record = {"hyp": _spoil(words, share, rng), "refs": references, "human": human}
            file.write(json.dumps(record) + "\n")
