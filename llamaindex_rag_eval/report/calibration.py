"""A judge against people, as one HTML file: agreement, the reliability plot, the worst misses."""

from collections.abc import Iterator
from pathlib import Path

from markupsafe import Markup

from llamaindex_rag_eval.calibration.agreement import Measured
from llamaindex_rag_eval.calibration.calibration import Calibration, MetricCalibration
from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.report.reliability import SIDE, dots_of
from llamaindex_rag_eval.report.templates import page_source, template

__all__ = ["calibration_html", "measures_of", "write_calibration"]


def calibration_html(calibration: Calibration) -> str:
    """Return the page: it asks for nothing from the network and runs no script."""
    page = template("calibration.html.j2").render(
        calibration=calibration,
        dots_of=dots_of,
        measures_of=measures_of,
        side=SIDE,
        style=Markup(page_source("report.css")),  # noqa: S704 - our own file
    )
    # A lone surrogate, as broken input may hold, has no place in UTF-8.
    return page.encode("utf-8", "replace").decode()


def write_calibration(calibration: Calibration, path: str | Path) -> Path:
    """Write the page to a file.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [calibration_html(calibration)])


def measures_of(metric: MetricCalibration) -> Iterator[tuple[str, Measured]]:
    """Yield how far judge and people agree, and both their means, each under its name."""
    found = metric.agreement
    yield f"accuracy at {found.threshold:g}", found.accuracy
    yield "kappa", found.kappa
    yield "AUC", found.auc
    yield "Spearman", found.spearman
    yield "mean by the judge", metric.judged
    if metric.corrected is not None:
        yield "mean by people", Measured(metric.corrected.value, metric.corrected.interval)
