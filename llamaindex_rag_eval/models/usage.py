"""What was spent, in calls, tokens and money, counted for whom; and budgets.

Tokens are counted here where no provider counts them.
"""

import json
import math
import re
import threading
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from pydantic import JsonValue

from llamaindex_rag_eval.errors import BudgetError, DatasetError
from llamaindex_rag_eval.models.settings_only import SettingsOnly


@lru_cache(maxsize=1024)
def tokens_of(text: str) -> int:
    """Return the number of tokens of a text, by the tokenizer that LlamaIndex ships."""
    return _counter()(text)


@lru_cache(maxsize=1)
def _counter() -> Callable[[str], int]:
    from llama_index.core.utils import get_tokenizer

    try:
        tokenize = get_tokenizer()
    except Exception:  # noqa: BLE001 - its table may have to be fetched; then count words
        return lambda text: len(re.findall(r"\w{1,5}|[^\w\s]", text))
    return lambda text: len(tokenize(text))


current_metric: ContextVar[str] = ContextVar("current_metric", default="")
"""The spec of the metric for which a call is made; set by `Metric.result`."""

current_account: ContextVar["Callable[[Spent], None] | None"] = ContextVar(
    "current_account", default=None
)
"""Is told each call as its reply arrives, before anything is made of it; set by a run that keeps
an account on disk."""

BATCH_SHARE = 0.5
"""Share of the price that a request in a batch file costs, at OpenAI and at Anthropic."""

TOKENS_A_PRICE = 1_000_000
"""Prices are in dollars for a million tokens, as providers list them."""


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens.

    Attributes:
        prompt: For tokens of the prompt.
        completion: For tokens of the reply.
    """

    prompt: float
    completion: float

    def cost(self, prompt: int, completion: int) -> float:
        """Return the dollars for so many tokens of prompts and of replies.

        Example:
            >>> Price(prompt=0.15, completion=0.6).cost(2_000_000, 500_000)
            0.6
        """
        return (prompt * self.prompt + completion * self.completion) / TOKENS_A_PRICE


@dataclass(slots=True)
class Count:
    """Calls, tokens and dollars so far; `cost` is `None` once a model without price was used."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0

    def add(self, prompt: int, completion: int, cost: float | None) -> None:
        """Count one call."""
        self.calls += 1
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        self.cost = None if cost is None or self.cost is None else self.cost + cost

    def as_json(self) -> dict[str, JsonValue]:
        """Return the counts as plain data."""
        return asdict(self) | {"cost": None if self.cost is None else round(self.cost, 6)}


@dataclass(frozen=True, slots=True)
class Spent:
    """What one call has cost.

    Attributes:
        model: The name of the model.
        request: The kind of request.
        metric: The spec of the metric that asked; empty if none did.
        prompt_tokens: Tokens sent.
        completion_tokens: Tokens received.
        cost: Dollars; `None` where the model's price is not known.
    """

    model: str
    request: str
    metric: str
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


class Usage(SettingsOnly):
    """Count calls in all, by model, by kind of request, and by metric. Safe across threads.

    Attributes:
        uncounted: Why there may be more calls than an estimate counts; empty if there are not.
    """

    def __init__(self, prices: Mapping[str, Price] | None = None) -> None:
        self.prices = prices
        self._begin()
        self.total = Count()
        self.uncounted = ""
        self.by: dict[str, dict[str, Count]] = {"model": {}, "request": {}, "metric": {}}

    def _begin(self) -> None:
        self._lock = threading.Lock()

    def price_of(self, model: str) -> Price | None:
        """Return the price of a model, if it is known."""
        return price_of(model, self.prices)

    def add(
        self, *, model: str, request: str, prompt: int, completion: int, share: float = 1.0
    ) -> None:
        """Count one call of a model for one kind of request, at a share of the listed price."""
        price = self.price_of(model)
        cost = None if price is None else share * price.cost(prompt, completion)
        self.report(Spent(model, request, current_metric.get(), prompt, completion, cost))

    def report(self, spent: Spent) -> None:
        """Count what one call has cost, here and in the account of the run that made it."""
        self.count(spent)
        account = current_account.get()
        if account is not None:
            account(spent)

    def count(self, spent: Spent) -> None:
        """Count what one call has cost."""
        counted = (spent.prompt_tokens, spent.completion_tokens, spent.cost)
        with self._lock:
            self.total.add(*counted)
            for kind, counts in self.by.items():
                name = getattr(spent, kind)
                if name:
                    counts.setdefault(name, Count()).add(*counted)

    def as_json(self) -> dict[str, JsonValue]:
        """Return all counts as plain data."""
        parts: dict[str, JsonValue] = {
            f"by_{kind}": {name: count.as_json() for name, count in sorted(counts.items())}
            for kind, counts in self.by.items()
        }
        return {**self.total.as_json(), **parts}


def usage_sum(
    left: Mapping[str, JsonValue], right: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """Return the sum of two counts of usage as plain data, name by name.

    Example:
        >>> usage_sum({"calls": 3, "cost": 0.5}, {"calls": 1, "cost": None})
        {'calls': 4, 'cost': None}
    """
    total: dict[str, JsonValue] = {}
    for name in [*left, *(name for name in right if name not in left)]:
        a, b = left.get(name, 0), right.get(name, 0)
        if isinstance(a, dict) or isinstance(b, dict):
            total[name] = usage_sum(*(x if isinstance(x, dict) else {} for x in (a, b)))
        elif isinstance(a, int | float) and isinstance(b, int | float):
            total[name] = round(a + b, 6)
        else:  # an unknown price stays unknown
            total[name] = None
    return total


def amount_in(value: object) -> float | None:
    """Return an amount that somebody else has written; `None` if it is no number from 0 on.

    Example:
        >>> amount_in(3), amount_in(-1), amount_in("3"), amount_in(True)
        (3.0, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None


@dataclass(frozen=True)
class Budget:
    """The most that may be spent; `None` is no limit.

    Attributes:
        calls: Calls of any model.
        tokens: Tokens of prompts and replies together.
        cost: Dollars; a model without a known price cannot be held to it.
    """

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None

    def check(
        self, usage: Usage, *, model: str, in_flight: int = 0, tokens_in_flight: int = 0
    ) -> None:
        """Raise `BudgetError` if another call would go beyond what may be spent.

        Args:
            usage: What was spent so far.
            model: The model about to be called.
            in_flight: Calls begun and not yet counted.
            tokens_in_flight: An estimate of their prompts, which count as spent.
        """
        spent = usage.total
        tokens = spent.prompt_tokens + spent.completion_tokens + tokens_in_flight
        if self.calls is not None and spent.calls + in_flight >= self.calls:
            raise BudgetError(f"the budget of {self.calls} calls is spent")
        if self.tokens is not None and tokens >= self.tokens:
            raise BudgetError(f"the budget of {self.tokens} tokens is spent ({tokens} used)")
        if self.cost is None:
            return
        price = usage.price_of(model)
        if spent.cost is None or price is None:
            raise BudgetError(f"no price is known for {model!r}: a budget in money cannot be kept")
        cost = spent.cost + price.cost(tokens_in_flight, 0)
        if cost >= self.cost:
            raise BudgetError(f"the budget of ${self.cost} is spent (${cost:.4f} used)")


def price_of(model: str, prices: Mapping[str, Price] | None = None) -> Price | None:
    """Return the price of a model, by its exact name or the longest name it begins with."""
    table = shipped_prices() if prices is None else prices
    names = [name for name in table if model == name or model.startswith(f"{name}-")]
    return table[max(names, key=len)] if names else None


@lru_cache(maxsize=1)
def shipped_prices() -> Mapping[str, Price]:
    """Return the prices that come with this package; they change, so a user can give others."""
    text = files("llamaindex_rag_eval.models").joinpath("prices.json").read_text("utf-8")
    return _prices(json.loads(text))


def prices_from(path: str | Path) -> Mapping[str, Price]:
    """Read a user's price table: `{"model": {"prompt": 0.15, "completion": 0.6}}`.

    Raises:
        DatasetError: The file is not there or has another shape.
    """
    try:
        return {**shipped_prices(), **_prices(json.loads(Path(path).read_text("utf-8")))}
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror}", file=str(path)) from error
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DatasetError(
            'expected {"model": {"prompt": dollars, "completion": dollars}}, for a million tokens',
            file=str(path),
        ) from None


def _prices(table: Mapping[str, Mapping[str, float]]) -> dict[str, Price]:
    return {
        model: Price(prompt=float(row["prompt"]), completion=float(row["completion"]))
        for model, row in table.items()
        if not model.startswith("_")
    }
