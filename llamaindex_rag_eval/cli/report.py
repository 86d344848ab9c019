"""`rag-eval report`: one run, or several compared, as one HTML file."""

from pathlib import Path

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.inputs import card_beside, card_in, run_at
from llamaindex_rag_eval.cli.options import STORE, Clusters, Margin, Out, Store
from llamaindex_rag_eval.cli.paths import writable


def report_command(
    runs: list[str],
    /,
    *,
    out: Out = Path("report.html"),
    card: Path | None = None,
    clusters: Clusters = "documents",
    margin: Margin = None,
    store: Store = STORE,
    printer: Printer = Printer(),
) -> None:
    """Write a report that opens in any browser, without a server or a network.

    It begins with a decision: ship, do not ship, or cannot tell yet, and how many more questions
    would tell; then answers, retrieval, latency and cost, the worst answers, and what changed since
    the stored run before of the last run's name. The evidence follows: scores with their intervals,
    every question with its contexts and claims, and the golden set's data card.

    Args:
        runs: One run, or several to compare with the first: files (.jsonl) or stored runs.
        out: The report to write.
        card: The golden set that was asked, or the data card that `generate --card` wrote. By
            default golden.jsonl beside the run, if it contains the questions.
    """
    writable(out)
    from llamaindex_rag_eval.decisions.comparison import unique_names
    from llamaindex_rag_eval.decisions.margins import Margins
    from llamaindex_rag_eval.report.html import write_html

    loaded = [run_at(reference, store) for reference in runs]
    data_card = card_in(card) if card is not None else card_beside(runs[0], loaded[0])
    names = unique_names([run.name for run in loaded])
    reported: rag.Run | rag.Comparisons = loaded[0]
    if len(loaded) > 1:
        reported = rag.compare(dict(zip(names, loaded, strict=True)), clusters=clusters)
    before = run_before(loaded[-1], store)
    accepted = Margins.parse(margin or None)
    write_html(reported, out, card=data_card, clusters=clusters, before=before, margins=accepted)
    printer.data({"report": str(out)})
    printer.show(f"Report in {out}: open it in a browser.")


def run_before(run: "rag.Run", store: str) -> "rag.Run | None":
    """Return the newest stored run of the same name that is older; `None` if there is none.

    Raises:
        DatasetError: That run is broken.
        OutputError: The store cannot be read.
    """
    from llamaindex_rag_eval.runs.store.run_store import RunStore

    started = run.provenance.started
    if not (run.name and started) or ("://" not in store and not Path(store).is_file()):
        return None
    stored = RunStore(store)
    older = [entry for entry in stored.runs(name=run.name) if "" < entry.started < started]
    return stored.get(max(older, key=lambda entry: entry.started).id) if older else None
