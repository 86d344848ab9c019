"""The data card: what a golden set is made of, what is missing, and what it may be used for."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby, islice
from operator import attrgetter

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

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
_SAFE = str.maketrans({**{mark: f"\\{mark}" for mark in "\\|`["}, "&": "&amp;", "<": "&lt;"})


def data_card(
    golden: GoldenSet,
    *,
    agreement: str = "",
    measured: Sequence[str] = (),
    telling: Sequence[str] = (),
) -> str:
    """Return the data card of a golden set as Markdown.

    Counts by type, kind, topic and document, examples with their evidence in its setting, cells
    that could not be filled, rejections with examples, models and prompts, reviewers' decisions,
    the share that models answer without documents, seed, versions, and advice on size. Equal sets
    give equal cards.

    Args:
        golden: The set.
        agreement: How far two reviewers agree, in words.
        measured: What runs of pipelines say of the set, in sentences.
        telling: Ids of the questions that tell pipelines apart best.
    """
    items, known = golden.items, {item.id: item for item in golden}
    statuses = Counter(item.status for item in items)
    closed_book = (item.checks.get("closed_book") for item in items)
    return _template().render(
        golden=golden,
        writers=sorted({item.created.models.get("writer", "") for item in items} - {""}),
        counts={
            "Types": [item.type for item in items],
            "Kinds": [item.kind for item in items],
            "Languages": [item.axes.language for item in items],
            "Difficulty": map(_difficulty, items),
            "Splits": [item.split for item in items],
            "Topics": [item.topic for item in items],
            "Documents": [doc_id for item in items for doc_id in item.doc_ids[:1]],
        },
        examples=_examples(golden),
        made_by=_made_by(golden),
        reviewed={status: statuses[status] for status in STATUSES},
        seen=sum(statuses[status] for status in REVIEWED),
        closed_book=[c.verdict for c in closed_book if c is not None and c.score is not None],
        agreement=agreement,
        measured=measured,
        telling=[(item.question, item.type) for item in map(known.get, telling) if item],
        shortfall=[(s.topic, s.type, s.wanted, s.got, s.reason) for s in golden.shortfall],
        rejected=_rejected(golden.rejected),
        usable=len(golden.in_use),
    )


@cache
def _template() -> Template:
    from llamaindex_rag_eval.stats.inference import wilson

    environment = Environment(  # Markdown: `cell` is what escapes
        loader=PackageLoader("testset.golden", ""),
        autoescape=False,  # noqa: S701
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"cell": _cell, "counted": _counted}
    constants = {"version": VERSION, "statuses": STATUSES}
    environment.globals |= {"wilson": wilson, **constants}
    return environment.get_template("card.md.jinja")


def _difficulty(item: GoldenItem) -> str:
    return f"{item.difficulty}, by {item.difficulty_by}" if item.difficulty_by else item.difficulty


def _examples(golden: GoldenSet) -> list[list[str]]:
    """Return an item of each of a few types, with its evidence and the setting of that."""
    of_type = {item.type: item for item in reversed(golden.items) if item.gold}
    rows = [
        (item.question, item.reference, " / ".join(span.setting), span.quote, span.doc_id)
        for item in sorted(of_type.values(), key=attrgetter("id"))[:EXAMPLES]
        for span, *_ in item.gold
    ]
    return [
        [cell if len(cell) <= LONGEST else f"{cell[:LONGEST]}…" for cell in row] for row in rows
    ]


def _made_by(golden: GoldenSet) -> list[tuple[str, str, int]]:
    """Return which models and prompts made the items, each with how many."""
    counts: Counter[tuple[str, str]] = Counter()
    for item in golden.items:
        counts.update((f"model: {role}", name) for role, name in item.created.models.items())
        counts.update((f"prompt: {name}", mark) for name, mark in item.created.prompts.items())
    return [(role, name, count) for (role, name), count in sorted(counts.items())]


def _rejected(rejected: Iterable[Rejection]) -> list[tuple[object, ...]]:
    """Return a few rejected questions of each check, with how many it rejected."""
    rows: list[tuple[object, ...]] = []
    for check, group in groupby(sorted(rejected, key=attrgetter("check")), attrgetter("check")):
        entries = list(group)
        shown = islice(entries, EXAMPLES)
        rows += [(check, len(entries), e.question, e.reference, e.evidence) for e in shown]
    return rows


def _counted(values: Iterable[str]) -> list[tuple[str, int]]:
    """Return how often each value comes, the most frequent first."""
    rows = sorted(Counter(values).items(), key=lambda row: (-row[1], row[0]))
    return [(name or "(none)", count) for name, count in rows]


def _cell(text: object) -> str:
    """Return a text without control codes that cannot leave its cell or be taken for markup."""
    return " ".join(plain_text(str(text)).split()).translate(_SAFE)
