"""Make the pictures of the documentation: the report, the local pages, a run in MLflow and Phoenix.

    python -m tests.browser.screenshots

The demo is run into a folder of its own; MLflow and Phoenix are servers on this machine. The
history that `ui` shows is made of further engines over the same golden set, each scored as one run;
their times are set a day apart, and the first ones are asked fewer questions. Everything is judged
by rules, so that the same is seen each time.
"""

import argparse
import base64
import tempfile
import time
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

from llamaindex_rag_eval import evaluate
from llamaindex_rag_eval.cli.inputs import engine_over
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.engines.defaults import RetrieverKind
from llamaindex_rag_eval.engines.runner import run as ask
from llamaindex_rag_eval.integrations.mlflow import MLflow
from llamaindex_rag_eval.integrations.phoenix import Phoenix
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.store.run_store import RunStore
from llamaindex_rag_eval.ui.history import History
from llamaindex_rag_eval.ui.label_server import label_app
from llamaindex_rag_eval.ui.labelling import Labelling
from tests.browser.chromium import chromium
from tests.browser.page import Page
from tests.browser.serving import served, served_ui
from tests.cli.command_line import DOCS, rag_eval
from tests.integrations.servers import mlflow_server, phoenix_server
from testset import Corpus, GoldenSet
from testset.corpus.nodes import section_nodes, window_nodes

PICTURES = Path(__file__).parents[2] / "docs" / "images"

WIDE, NARROW = (1400, 1000), (390, 844)
DRAWN = 4
"""Seconds after which the charts of another's page have grown."""

ENGINES: tuple[tuple[int, RetrieverKind, int, int], ...] = (
    (128, "embedding", 1, 36),
    (256, "embedding", 1, 36),
    (256, "embedding", 2, 36),
    (256, "bm25", 2, 48),
    (512, "bm25", 2, 48),
    (512, "embedding", 2, 48),
    (512, "fused", 3, 48),
    (0, "bm25", 2, 60),
    (0, "bm25", 3, 60),
    (0, "fused", 3, 60),
    (0, "fused", 5, 60),
)
"""Characters of a window (0: cut at headings), retriever, contexts, questions asked."""

FIRST_DAY = datetime(2026, 3, 2, 4, 30, tzinfo=timezone.utc)


def make_history(golden: Path, store: RunStore) -> Run:
    """Store a run of each engine; return the last."""
    items = GoldenSet.read(golden).items
    documents = Corpus.of(DOCS).llama_documents()
    for day, (window, retriever, top_k, size) in enumerate(ENGINES):
        nodes = window_nodes(documents, size=window) if window else section_nodes(documents)
        engine = engine_over(nodes, retriever, top_k=top_k)
        questions = EvaluationDataset.of(GoldenSet(items[:size], size=size))
        scored = evaluate(ask(engine, questions), name="nightly")
        started = (FIRST_DAY + timedelta(days=day)).isoformat(timespec="seconds")
        provenance = scored.provenance.model_copy(update={"started": started})
        store.add(replace(scored, provenance=provenance))
    return scored


def picture(
    page: Page, address: str, size: tuple[int, int], path: Path, *, wait_for: str = ""
) -> None:
    """Write what is seen first at an address in a window of this size, in light colours.

    Args:
        page: The browser.
        address: What to open.
        size: Width and height in CSS pixels.
        path: The file to write.
        wait_for: A text that a page shows when it is whole.
    """
    page.scheme("light")
    page.size(*size)
    page.driver.get(address)
    page.until(lambda: wait_for in page.find("body").text)
    time.sleep(DRAWN if wait_for else 0)
    shot = {"format": "webp", "quality": 80}
    data = page.driver.execute_cdp_cmd("Page.captureScreenshot", shot)["data"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(base64.b64decode(data))
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


def pictures_of_tools(page: Page, run: Run, out: Path) -> None:
    """Publish a run to MLflow and Phoenix, and write what each shows of it."""
    with mlflow_server() as url:
        made = MLflow(url, project="demo").log_run(run)
        picture(page, f"{made.url}/model-metrics", WIDE, out / "mlflow.webp", wait_for="mean")
    with phoenix_server() as url:
        shown = Phoenix(url).log_run(run, dataset="demo")
        picture(page, shown.url, WIDE, out / "phoenix.webp", wait_for="faithfulness")


def main() -> None:
    """Write all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=PICTURES, help="the folder to write to")
    out: Path = parser.parse_args().out
    with tempfile.TemporaryDirectory() as made:
        demo = Path(made) / "demo-output"
        done = rag_eval("demo", "--out", demo, "--quiet")
        assert done.exit_code == 0, done.output
        store = RunStore(Path(made) / "runs.db")
        last = make_history(demo / "golden.jsonl", store)
        browser = chromium(Path(made) / "chromium")
        page = Page(browser)
        try:
            browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
            question = GoldenSet.read(demo / "golden.jsonl").items[0].id
            labelling = Labelling(last, Path(made) / "labels.jsonl")
            with served(lambda token, port: label_app(labelling, token=token, port=port)) as where:
                picture(page, where, WIDE, out / "label.webp", wait_for="labelled")
            with served_ui(History(store)) as address:
                places = {
                    "report": (demo / "report.html").as_uri(),
                    "ui": address,
                    "ui-question": f"{address}question?id={question}",
                }
                for name, where in places.items():
                    picture(page, where, WIDE, out / f"{name}.webp")
                    if name != "ui-question":
                        picture(page, where, NARROW, out / f"{name}-narrow.webp")
            pictures_of_tools(page, last, out)
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
