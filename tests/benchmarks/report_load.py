"""How long a browser takes to open a large report, and how tall it is.

It has 500 questions, 10 metrics and two runs.

Run `python -m tests.benchmarks.report_load`; it needs Chromium and its driver.
"""

import statistics
import tempfile
from pathlib import Path

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.report import write_html
from tests.browser.chromium import chromium
from tests.browser.page import Page
from tests.report.runs import run_of_scores, sample

QUESTIONS, METRICS, LOADS = 500, 10, 5
SIZES = ((1_400, 900), (390, 844))
TOP = "return document.getElementById('decision').getBoundingClientRect().bottom"
WHOLE = "return document.documentElement.scrollHeight"
LOADED = "return performance.getEntriesByType('navigation')[0].loadEventEnd"


def large_report(file: Path) -> Path:
    """Write a report on answers and contexts of 120 words each."""
    scores = {f"metric_{number}": [0.5, 0.75] * (QUESTIONS // 2) for number in range(METRICS)}
    texts = [" ".join(f"word{n}-{k}" for k in range(120)) for n in range(QUESTIONS)]
    samples = [sample(f"q{n}", response=text, contexts=(text,)) for n, text in enumerate(texts)]
    a, b = (run_of_scores(name, scores, samples=samples) for name in "ab")
    return write_html(compare(a, b), file)


def main() -> None:
    """Print the size of the report and the time until the browser says that it is loaded."""
    with tempfile.TemporaryDirectory() as folder:
        report = large_report(Path(folder) / "report.html")
        page = Page(chromium(Path(folder) / "profile"))
        taken = []
        for _ in range(LOADS):
            page.open(report)
            taken.append(float(str(page.run(LOADED))) / 1000)
        for width, height in SIZES:
            page.size(width, height)
            page.open(report)
            whole, top = (round(float(str(page.run(asked)))) for asked in (WHOLE, TOP))
            print(f"{width} x {height} px: the page has {whole:,} px, the decision ends at {top:,}")
        page.driver.quit()
        megabytes, middle = report.stat().st_size / 1e6, statistics.median(taken)
        print(f"{QUESTIONS} questions x {METRICS} metrics x 2 runs: {megabytes:.1f} MB")
        print(f"loaded in {middle:.2f} s (median of {LOADS}, {max(taken):.2f} at most)")


if __name__ == "__main__":
    main()
