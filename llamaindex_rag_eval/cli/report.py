"""`rag-eval report`: one run, or several compared, as one HTML file."""

from pathlib import Path

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.inputs import card_beside, card_in
from llamaindex_rag_eval.cli.options import Clustered, DecidedBy, Out
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.cli.stored import Stored


def report_command(
    runs: list[str],
    /,
    *,
    out: Out = Path("report.html"),
    card: Path | None = None,
    decided_by: DecidedBy = DecidedBy(),
    how: Clustered = Clustered(),
    stored: Stored = Stored(),
) -> None:
    """Write a report as one file that any browser opens.

    It needs no server and no network. It begins with a decision: ship, do not ship, or cannot
    tell yet, and how many more questions would tell; then answers, retrieval, latency and cost,
    the worst answers, and what changed since the stored run before of the last run's name. The
    evidence follows: scores with their intervals, every question with its contexts and claims,
    and the golden set's data card.

    Args:
        runs: One run, or several to compare with the first: files (.jsonl) or stored runs.
        out: The report to write.
        card: The golden set that was asked, or the data card that `generate --card` wrote. By
            default golden.jsonl beside the run, if it contains the questions.
    """
    writable(out)
    loaded = [stored.run(reference) for reference in runs]
    names = library.unique_names([run.name for run in loaded])
    reported: rag.Run | rag.Comparisons = loaded[0]
    if len(loaded) > 1:
        reported = rag.compare(dict(zip(names, loaded, strict=True)), clusters=how.clusters)
    library.write_html(
        reported,
        out,
        card=card_in(card) if card is not None else card_beside(runs[0], loaded[0]),
        clusters=how.clusters,
        before=stored.before(loaded[-1]),
        policy=decided_by.policy(clusters=how.clusters),
    )
    printer.data({"report": str(out)})
    printer.show(f"Report in {out}: open it in a browser.")
