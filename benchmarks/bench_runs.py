"""Time runs, comparisons and report pages against the longest time that a user should wait.

The limits are for an idle machine, so they are compared with the processor time of all threads.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from harness import Row, Sample
from tertium.catalog import parse_metrics
from tertium.commands.compare.compare import CompareRequest
from tertium.commands.report.report import Report, ReportRequest
from tertium.engines import evaluate
from tertium.evaluation import Evaluation
from tertium.evaluation.differences import measure_influence
from tertium.evaluation.runs import open_run
from tertium.evaluation.runs.files import save_run
from tertium.values import Corpus

__all__ = ["measure"]

N_SEGMENTS, N_SYSTEMS = 3_000, 14
FIVE = "bleu,chrf,ter,wer,per"
TEN = f"{FIVE},ribes,sentbleu,nist,wordf,character"
CHROMIUM = Path("/usr/bin/chromium")


def measure(sample: Sample) -> Iterator[Row]:
    """Time influence, comparison, opening a large run, and the report page from writing to its first click."""
    corpus = make_corpus(sample)
    evaluation = evaluate(corpus, parse_metrics([FIVE]))
    yield limit("influence, 3,000 × 14 × 5 metrics", 1, lambda: influence(evaluation))
    with tempfile.TemporaryDirectory() as folder:
        yield from measure_files(Path(folder), corpus)


def measure_files(folder: Path, corpus: Corpus) -> Iterator[Row]:
    paths = write_texts(folder, corpus)
    request = CompareRequest(
        inputs=tuple(paths[1:3]), references=(paths[0],), metrics=("bleu,chrf,ter",), threads=1
    )
    yield limit("compare two systems, 3,000 segments", 2, lambda: request.run().document())
    large = save_large_run(folder)
    yield limit("open a run, 1 M segments", 1, lambda: open_run(large).evaluation.system_scores("bleu"))
    page = folder / "page.html"
    took = busy_seconds(lambda: write_page(page, corpus), repeats=2)  # the first bundles Vega
    size = f"{page.stat().st_size / 1e6:.1f} of 15 MB"
    yield Row(f"report, 3,000 × 14 × 10 ({size})", "at most 10 s", took, 10, 1, None)
    if CHROMIUM.exists():
        yield Row("its first click in Chromium", "at most 2 s", open_in_browser(page), 2, 1, None)


def limit(job: str, seconds: float, work: Callable[[], object]) -> Row:
    """Time a job and compare it with its limit."""
    return Row(job, f"at most {seconds:g} s", busy_seconds(work), seconds, 1, None)


def busy_seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Return the lowest processor time of several runs."""
    seconds = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def make_corpus(sample: Sample) -> Corpus:
    """Make 14 systems, each with other words of the original output left out."""
    n = len(sample.hypotheses)
    rng = np.random.default_rng(1)
    references = [[f"{sample.references[i % n]} {i // n}"] for i in range(N_SEGMENTS)]
    systems = {
        f"system-{k:02}": [drop_words(sample.hypotheses[i % n], 0.01 * k, rng) for i in range(N_SEGMENTS)]
        for k in range(N_SYSTEMS)
    }
    return Corpus(references, systems)


def drop_words(text: str, share: float, rng: np.random.Generator) -> str:
    words = text.split()
    return " ".join(word for word, lot in zip(words, rng.random(len(words)), strict=True) if lot >= share)


def save_large_run(folder: Path) -> str:
    """Save a million segments of one system."""
    path = str(folder / "large.run")
    corpus = Corpus([["the cat sat on the mat"]] * 1_000_000, {"a": ["the cat is on a mat"] * 1_000_000})
    save_run(path, evaluate(corpus, parse_metrics(["bleu"])), corpus, with_texts=False)
    return path


def influence(evaluation: Evaluation) -> None:
    for label in FIVE.split(","):
        measure_influence(evaluation, label)


def write_texts(folder: Path, corpus: Corpus) -> list[str]:
    texts = {"reference": [group[0] for group in corpus.references], **corpus.systems}
    paths = []
    for name, lines in texts.items():
        paths.append(str(folder / f"{name}.txt"))
        Path(paths[-1]).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return paths


def write_page(path: Path, corpus: Corpus) -> None:
    evaluation = evaluate(corpus, parse_metrics([TEN]))
    Report(ReportRequest(inputs=()), evaluation, corpus).write(path)


def open_in_browser(page: Path) -> float:
    """Open a page from disk; return the processor time until its list of segments can be used."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_page()
        session = tab.context.new_cdp_session(tab)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        tab.goto(page.as_uri())
        tab.wait_for_selector("html[data-ready]")
        found = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        browser.close()
    return float(found["TaskDuration"])
