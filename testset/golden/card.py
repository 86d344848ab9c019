"""The data card: what a golden set is made of, what is missing, and what it may be used for."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from llamaindex_rag_eval.data.plain_text import plain_text
from testset.golden.golden_set import GoldenSet, Rejection
from testset.golden.item import GoldenItem, Status
from testset.version import VERSION

EXAMPLES = 3
"""Items shown as examples, and rejected questions for each check."""
LONGEST = 300
"""Characters of a text that an example shows."""
REVIEWED: tuple[Status, ...] = ("accepted", "edited", "rejected")
STATUSES: tuple[Status, ...] = ("auto", *REVIEWED, "stale")
Z95 = 1.96
"""Half-width, in standard errors, of a 95 % interval."""
PAIRED_VARIANCE = 0.4
"""Variance of the difference of two pipelines' scores on one question (each 0 or 1), if they agree
on three of five questions."""
SIZE_ADVICE = (
    "With 50 questions a measured share of .8 is uncertain by ±11 points (95 %), with 200 by "
    "±5.5. To tell two pipelines apart that differ by 10 points takes about 154 questions, by 5 "
    "points about 625. Synthetic questions rank retrievers reliably and generator models less so "
    "(https://arxiv.org/abs/2508.11758): label some by hand."
)


def data_card(golden: GoldenSet, *, agreement: str = "") -> str:
    """Return the data card of a golden set as Markdown.

    Counts by type, kind, topic and document, examples with their evidence in its setting, cells
    that could not be filled, rejections with examples, models and prompts, reviewers' decisions,
    the share that models answer without documents, seed, versions, and advice on size. Equal sets
    give equal cards.

    Args:
        golden: The set.
        agreement: How far two reviewers agree, in words.
    """
    sections = [
        "# Data card",
        _summary(golden),
        _counts("Types", (item.type for item in golden.items)),
        _counts("Kinds", (item.kind for item in golden.items)),
        _counts("Languages", (item.axes.language for item in golden.items)),
        _counts("Difficulty", map(_difficulty, golden.items)),
        _counts("Splits", (item.split for item in golden.items)),
        _counts("Topics", (item.topic for item in golden.items)),
        _counts("Documents", (doc_id for item in golden.items for doc_id in item.doc_ids[:1])),
        _examples(golden),
        _origin(golden),
        _review(golden, agreement),
        _shortfall(golden),
        _rejections(golden.rejected),
        _skipped(golden),
        _size(golden),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _summary(golden: GoldenSet) -> str:
    asked = golden.size or len(golden.items)
    lines = [f"- items: {len(golden.items)} of {asked} asked for", f"- version: {VERSION}"]
    lines += [f"- {name}: {_cell(value)}" for name, value in golden.facts.items()]
    writers = sorted({item.created.models.get("writer", "") for item in golden.items} - {""})
    return "\n".join([*lines, f"- writers: {', '.join(map(_cell, writers)) or 'none'}"])


def _difficulty(item: GoldenItem) -> str:
    return f"{item.difficulty}, by {item.difficulty_by}" if item.difficulty_by else item.difficulty


def _examples(golden: GoldenSet) -> str:
    """Return an item of each of a few types, with its evidence and the setting of that."""
    of_type = {item.type: item for item in reversed(golden.items) if item.gold}
    rows = [
        (item.question, item.reference, " / ".join(span.setting), span.quote, span.doc_id)
        for item in sorted(of_type.values(), key=lambda item: item.id)[:EXAMPLES]
        for span in (group[0] for group in item.gold)
    ]
    head = ("question", "answer", "setting", "evidence", "document")
    cut = [tuple(_shortened(cell) for cell in row) for row in rows]
    return _table("Examples", head, cut) if rows else ""


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _origin(golden: GoldenSet) -> str:
    """Return which models and prompts made the items, each with how many."""
    counts: Counter[tuple[str, str]] = Counter()
    for item in golden.items:
        counts.update((f"model: {role}", name) for role, name in item.created.models.items())
        counts.update((f"prompt: {name}", mark) for name, mark in item.created.prompts.items())
    rows = [(role, name, str(count)) for (role, name), count in sorted(counts.items())]
    return _table("Made by", ("role", "name or fingerprint", "items"), rows) if rows else ""


def _review(golden: GoldenSet, agreement: str) -> str:
    """Return reviewers' decisions, and how many items models answer without documents."""
    statuses = Counter(item.status for item in golden.items)
    seen = sum(statuses[status] for status in REVIEWED)
    lines = [f"- {status}: {statuses[status]}" for status in STATUSES if statuses[status]]
    lines.append(f"- audited acceptance: {_share(statuses['accepted'], seen)}")
    if agreement:
        lines.append(f"- agreement of {_cell(agreement)}")
    if not seen:
        lines.append("- nobody reviewed an item: `rag-eval review` opens a page for it")
    closed = [check for item in golden.items if (check := item.checks.get("closed_book"))]
    scored = [check for check in closed if check.score is not None]
    without_documents = sum(check.verdict == "tagged" for check in scored)
    lines.append(f"- answered without documents: {_share(without_documents, len(scored))}")
    return "## Review\n\n" + "\n".join(lines)


def _share(part: int, whole: int) -> str:
    from llamaindex_rag_eval.stats.interval import wilson

    interval = wilson(part, whole)
    if interval is None:
        return "not measured"
    low, high = interval.low, interval.high
    return f"{part} of {whole}, {part / whole:.0%} (95 % Wilson interval {low:.0%} to {high:.0%})"


def _size(golden: GoldenSet) -> str:
    usable = sum(item.status not in {"rejected", "stale"} for item in golden.items)
    if not usable:
        return f"## Size\n\n{SIZE_ADVICE}"
    width = 100 * Z95 * math.sqrt(0.8 * 0.2 / usable)
    apart = 100 * Z95 * math.sqrt(PAIRED_VARIANCE / usable)
    return (
        f"## Size\n\nThe {usable} items that are neither rejected nor stale measure a share of .8 "
        f"to ±{width:.1f} points, and tell two pipelines apart that differ by {apart:.0f} points "
        f"or more.\n\n{SIZE_ADVICE}"
    )


def _counts(title: str, values: Iterable[str]) -> str:
    counts = Counter(values)
    if not counts:
        return ""
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return _table(title, ("", "items"), [(name or "(none)", str(count)) for name, count in rows])


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return f"## {title}\n\n" + "\n".join(lines)


def _cell(text: str) -> str:
    """Return a text without control codes that cannot leave its cell or be taken for markup."""
    plain = " ".join(plain_text(text).split())
    for mark, safe in (
        ("\\", "\\\\"),
        ("&", "&amp;"),
        ("<", "&lt;"),
        ("|", "\\|"),
        ("`", "\\`"),
        ("[", "\\["),
    ):
        plain = plain.replace(mark, safe)
    return plain


def _shortfall(golden: GoldenSet) -> str:
    rows = [
        (entry.topic, entry.type, str(entry.wanted), str(entry.got), entry.reason)
        for entry in golden.shortfall
    ]
    head = ("topic", "type", "wanted", "got", "why")
    return _table("Cells that could not be filled", head, rows) if rows else ""


def _rejections(rejected: Sequence[Rejection]) -> str:
    by_check: dict[str, list[Rejection]] = defaultdict(list)
    for entry in rejected:
        by_check[entry.check].append(entry)
    rows = [
        (check, str(len(found)), entry.question, entry.reference, entry.evidence)
        for check, found in sorted(by_check.items())
        for entry in found[:EXAMPLES]
    ]
    head = ("check", "rejected", "for example", "answer", "why")
    return _table("Rejected questions", head, rows) if rows else ""


def _skipped(golden: GoldenSet) -> str:
    return _table("Files left out", ("file", "why"), golden.skipped) if golden.skipped else ""
