"""The judge against people as one HTML file: agreement, the reliability plot, the worst misses.

The plot has a dot for each bin of samples that the judge scored alike: at the mean of the judge and
the mean of people, with the 95 % interval of the latter. On its diagonal both means are the same.
"""

from collections.abc import Iterator
from pathlib import Path

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.decisions.calibration import Calibration, MetricCalibration
from llamaindex_rag_eval.report.templates import render
from llamaindex_rag_eval.stats.interval import Estimate


def calibration_html(calibration: Calibration) -> str:
    """Return the page; it loads nothing and runs no script."""
    return render(
        "calibration.html.j2",
        calibration=calibration,
        measures=calibration_measures,
    )


def write_calibration(calibration: Calibration, path: str | Path) -> Path:
    """Write the page to a file.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [calibration_html(calibration)])


def calibration_measures(metric: MetricCalibration) -> Iterator[tuple[str, Estimate]]:
    """Yield each measure of agreement, and the means of the judge and of people, with its name."""
    agreement = metric.agreement
    yield f"accuracy at {agreement.threshold:g}", agreement.accuracy
    yield "kappa", agreement.kappa
    yield "AUC", agreement.auc
    yield "Spearman", agreement.spearman
    yield "mean by the judge", metric.judged
    if metric.corrected is not None:
        yield "mean by people", metric.corrected
