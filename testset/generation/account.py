"""The account: what the calls of one generation have cost, over all sessions of a resumed run."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from itertools import chain
from pathlib import Path
from typing import IO, Any

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.request import Oracle, oracles_of
from llamaindex_rag_eval.models.usage import Count, Spent, current_account

CALLS, TOKENS = 4, 9_000
"""Calls and tokens that a question takes, at most."""
FEW = 8
"""Questions at a time under a budget in money."""
UNLIMITED = 1_000_000
"""Questions that are paid for where there is no budget."""
ENDS = ("", "-wal", "-shm", ".account")
"""How the names of the files end that keep an interrupted run: its replies, and its account."""


class Account:
    """Calls, as their replies arrive; the state after each in a file.

    Args:
        journal: Where the replies of the run are kept; the account is beside it. `None` keeps it
            in memory only.

    Attributes:
        total: What was spent.
        progress: Counts the attempts `tried` and those `kept`.
    """

    def __init__(self, journal: Path | None) -> None:
        earlier = {} if journal is None else earlier_account(journal)
        self.total = count_in(earlier)
        self.progress: Counter[str] = Counter()
        self._journal = journal
        self._file: IO[str] | None = None

    @contextmanager
    def recording(self) -> Iterator["Account"]:
        """Count all calls until the block ends.

        Raises:
            OutputError: The file cannot be written.
        """
        with ExitStack() as stack:
            if self._journal is not None:
                path = self._journal.with_name(self._journal.name + ENDS[-1])
                try:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    file = stack.enter_context(path.open("a", encoding="ascii", buffering=1))
                except OSError as error:
                    raise OutputError(f"cannot write {str(path)!r}: {error.strerror}") from error
                file.write("\n")  # ends a line that a kill has cut short
                self._file = file
            stack.callback(current_account.reset, current_account.set(self._spend))
            yield self
        self._file = None

    def _spend(self, spent: Spent) -> None:
        self.total.add(spent.prompt_tokens, spent.completion_tokens, spent.cost)
        self.write()

    def write(self) -> None:
        """Write what was spent until now, if a model was asked at all."""
        if self._file is not None and self.total.calls:
            self._file.write(json.dumps({**self.total.as_json(), **self.progress}) + "\n")

    @property
    def summary(self) -> Mapping[str, str]:
        """All that was spent, in words for a data card."""
        spent = self.total
        return {
            "model calls": f"{spent.calls:,}",
            "tokens": f"{spent.prompt_tokens:,} sent, {spent.completion_tokens:,} received",
            "cost": "no price is known" if spent.cost is None else f"${spent.cost:.4f}",
        }


def earlier_account(journal: Path) -> dict[str, Any]:
    """Return the last state of the account beside a journal; empty if there is none."""
    path = journal.with_name(journal.name + ENDS[-1])
    lines = path.read_text(encoding="ascii").splitlines() if path.is_file() else []
    return next((dict(json.loads(line)) for line in reversed(lines) if line.endswith("}")), {})


def count_in(state: Mapping[str, Any]) -> Count:
    """Return the calls, tokens and dollars of a state of an account."""
    return Count(**{field.name: state[field.name] for field in fields(Count) if state})


def count_in_summary(facts: Mapping[str, str]) -> Count | None:
    """Return the calls and tokens that a data card states; `None` if it states none.

    Example:
        >>> count_in_summary({"model calls": "1,200", "tokens": "5 sent, 7 received"}).calls
        1200
    """
    try:
        sent, received = (part.split()[0] for part in facts["tokens"].split(", "))
        return Count(*(int(n.replace(",", "")) for n in (facts["model calls"], sent, received)))
    except (KeyError, ValueError):
        return None


def remove_journal(path: Path) -> None:
    """Remove what an interrupted run would go on from."""
    for end in ENDS:
        path.with_name(path.name + end).unlink(missing_ok=True)


def affordable_questions(oracles: Sequence[Oracle]) -> int:
    """Return how many questions the budgets of oracles still pay for, counted generously.

    A budget in money counts as one for few: what a call costs is known when it was made.
    """
    numbers = [UNLIMITED]
    for inner in chain.from_iterable(map(oracles_of, oracles)):
        limit = getattr(inner, "limit", None)
        if not isinstance(limit, Limit):
            continue
        spent, budget = limit.usage.total, limit.budget
        if budget.calls is not None:
            numbers.append((budget.calls - spent.calls) // CALLS)
        if budget.tokens is not None:
            used = spent.prompt_tokens + spent.completion_tokens
            numbers.append((budget.tokens - used) // TOKENS)
        if budget.cost is not None:
            numbers.append(FEW)
    return min(numbers)
