"""Metric pages: each metric from its own code, for `rag-eval more metrics` and the docs."""

import inspect
import math
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields

from pydantic import JsonValue

from llamaindex_rag_eval.data.rows import as_json
from llamaindex_rag_eval.judge import SupportOf
from llamaindex_rag_eval.metrics.base import BaseMetric, Direction
from llamaindex_rag_eval.metrics.registry import METRICS, metric_class
from llamaindex_rag_eval.models import EmbeddedOracle

OF_PARTS = "what its parts need"
"""Needs of a metric that combines others."""

LABELS = ("Limitations:", "Source:")
"""Beginnings of paragraphs that the page shows by themselves."""

PARTLY = 'A claim that is supported in part ("partly") counts '
"""Said on the page of every metric that is computed from the support of claims."""


@dataclass(frozen=True, slots=True)
class MetricPage:
    """The documentation of a metric.

    Attributes:
        name: Its name.
        question: The question that it answers.
        formula: Its lines of arithmetic.
        about: The rest of its documentation.
        limitations: Which samples make its value mislead.
        needs: The fields that a sample must have, in words.
        calls: How often each kind of judgement is asked for, at the default settings.
        bounds: The least and the greatest value.
        direction: Which end of the range is better.
        undefined: When there is no value.
        threshold: From which value on (for `lower`: up to which) a result passes by default.
        settings: Each setting with its default as Python writes it, or `required`.
        aliases: Other names that find it.
        kin: The same or a similar metric of other tools, by tool.
        source: Where it comes from.
    """

    name: str
    question: str
    formula: str
    about: str
    limitations: str
    needs: str
    calls: Mapping[str, int]
    bounds: tuple[float, float]
    direction: Direction
    undefined: str
    threshold: float | None
    settings: Mapping[str, str]
    aliases: tuple[str, ...]
    kin: Mapping[str, str]
    source: str

    @property
    def range(self) -> str:
        """The bounds as `0..1`, with `inf` for none."""
        low, high = self.bounds
        return f"{low:g}..{high:g}"

    @property
    def rules(self) -> bool | None:
        """Whether the embedded rules answer all that is asked; `None` for a metric of others."""
        if self.needs == OF_PARTS:
            return None
        rules = EmbeddedOracle()
        return all(rules.answers(request) for request in metric_class(self.name).requests)

    @property
    def facts(self) -> dict[str, str]:
        """What is known beside question, formula and text, in words, without what is empty."""
        arrow = {"higher": " ↑", "lower": " ↓"}.get(self.direction, "")
        calls = ", ".join(f"{kind} × {count}" for kind, count in self.calls.items())
        facts = {
            "needs": self.needs,
            "range": f"{self.range}{arrow}",
            "passes": self._passes(),
            "undefined": self.undefined,
            "asks": calls or ("what its parts ask" if self.needs == OF_PARTS else "no judge"),
            "settings": ", ".join(f"{key}={value}" for key, value in self.settings.items()),
            "also known": ", ".join(self.aliases),
            "elsewhere": ", ".join(f"{tool}: {name}" for tool, name in self.kin.items()),
            "source": self.source,
        }
        return {key: value for key, value in facts.items() if value}

    def _passes(self) -> str:
        if self.threshold is None:
            return "" if self.direction == "neither" else "no result, unless a threshold is set"
        side = "more" if self.direction == "higher" else "less"
        at_end = self.threshold == self.bounds[side == "more"]
        return f"{self.threshold:g}{'' if at_end else f' or {side}'}, unless a threshold is set"

    def as_json(self) -> dict[str, JsonValue]:
        """Return the page as plain data; an infinite bound is `None`."""
        names = [field.name for field in fields(self) if field.name != "about"]
        whole = {name: getattr(self, name) for name in names}
        bounds = [bound if math.isfinite(bound) else None for bound in self.bounds]
        return {name: as_json(value) for name, value in (whole | {"bounds": bounds}).items()}


def metric_pages() -> tuple[MetricPage, ...]:
    """Return the pages of all metrics, by name."""
    return tuple(_page(kind) for kind in METRICS)


def metric_page(name: str) -> MetricPage:
    """Return the page of the metric of this name or alias.

    Raises:
        UnknownMetricError: No metric has that name.
    """
    return _page(metric_class(name))


def _page(kind: type[BaseMetric]) -> MetricPage:
    """Return the page of a class; what its docstring lacks is taken from its module's."""
    of_class, of_module = inspect.getdoc(kind) or "", inspect.getdoc(sys.modules[kind.__module__])
    question, formula, source = (
        find(of_class) or find(of_module or "") for find in (_question, _formula, _source)
    )
    classes = kind.__mro__[: kind.__mro__.index(BaseMetric)]
    limitations = [_paragraph("Limitations:", inspect.cleandoc(c.__doc__ or "")) for c in classes]
    parameters = inspect.signature(kind).parameters.values()
    return MetricPage(
        name=kind.name,
        question=question,
        formula=formula,
        about="\n".join(text for text in (_about(of_class), _partly(kind)) if text),
        limitations=" ".join(filter(None, limitations)) or _paragraph("Limitations:", of_module),
        needs=_needs(kind),
        calls=dict(Counter(request.__name__ for request in kind.requests)),
        bounds=kind.bounds,
        direction=kind.direction,
        undefined=kind.undefined,
        threshold=None if kind.direction == "neither" else kind.default_threshold,
        settings={
            p.name: "required" if p.default is p.empty else repr(p.default)
            for p in parameters
            if p.name != "judge"
        },
        aliases=kind.aliases,
        kin=kind.kin,
        source=source,
    )


def _needs(kind: type[BaseMetric]) -> str:
    """Return the fields that a sample must have, as `gold + contexts or context_ids + …`."""
    always = sorted(kind.needs)
    ways = " or ".join(" + ".join(sorted(way)) for way in kind.needs_one_of)
    return ", ".join([*always, ways] if ways else always) or OF_PARTS


def _question(doc: str) -> str:
    """Return the question of a first line like "Name: is it so?"."""
    first = doc.split("\n\n")[0].replace("\n", " ")
    _, colon, question = first.partition(": ")
    return question[0].upper() + question[1:] if colon and question.endswith("?") else ""


def _formula(doc: str) -> str:
    """Return the first indented block of the text before its sections."""
    text = re.split(r"^(?:Args|Returns|Raises|Example|Attributes):", doc, flags=re.MULTILINE)[0]
    block = re.search(r"(?:^ {4}.*\n?)+", text, flags=re.MULTILINE)
    return textwrap.dedent(block[0]).strip() if block else ""


def _source(doc: str) -> str:
    """Return where the metric comes from."""
    return _paragraph("Source:", doc)


def _paragraph(label: str, doc: str | None) -> str:
    """Return the paragraph that begins with a label, without it."""
    for paragraph in (doc or "").split("\n\n"):
        if paragraph.startswith(label):
            return " ".join(paragraph.removeprefix(label).split())
    return ""


def _partly(kind: type[BaseMetric]) -> str:
    """Return how a verdict between the two ends counts, unless the metric's own words do."""
    if SupportOf not in kind.requests or "partly" in (inspect.getdoc(kind) or ""):
        return ""
    graded = "graded" in inspect.signature(kind).parameters
    halves = "0.5; with `graded=False` it is not supported."
    return PARTLY + (halves if graded else "as not supported.")


def _about(doc: str) -> str:
    """Return the paragraphs of a class docstring that are neither question, formula nor section."""
    text = re.split(r"^(?:Args|Raises):", doc, flags=re.MULTILINE)[0]
    paragraphs = [p for p in text.strip().split("\n\n") if not p.startswith((" ", *LABELS))]
    if paragraphs and _question(paragraphs[0]):
        paragraphs = paragraphs[1:]
    return "\n".join(" ".join(p.split()) for p in paragraphs)
