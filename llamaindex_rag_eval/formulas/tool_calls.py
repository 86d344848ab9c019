"""Tool calls: how far do the calls that were made agree with the calls that were wanted?

Calls are paired one to one, only with calls of the same tool, so that the pairs match as well as
they can; `ordered` pairs never cross, and `strict` ones are the first with the first, and so on.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.data.sample import ToolCall

Order = Literal["ordered", "unordered", "strict"]
"""Whether the calls must come in the order wanted; `strict`: also not one too many or too few."""

ArgumentMatch = Literal["exact", "nested", "ignore"]
"""Whether arguments count all together, value by value, however deep they lie, or not at all."""

Compare = Callable[[object, object], float]
"""A value that was wanted and one that was given -> how alike they are, in [0, 1]."""

Path = tuple[str | int, ...]


def same_value(wanted: object, given: object) -> float:
    """Return 1.0 for equal JSON values, else 0.0; `True` is not 1.

    Example:
        >>> same_value(2, 2.0), same_value(1, True), same_value("a", "A")
        (1.0, 0.0, 0.0)
    """
    if isinstance(wanted, bool) is not isinstance(given, bool):
        return 0.0
    return float(wanted == given)


def argument_match(
    wanted: ToolCall,
    made: ToolCall,
    *,
    arguments: ArgumentMatch = "exact",
    compare: Compare = same_value,
) -> float:
    """Return how far the arguments of two calls agree.

    Args:
        wanted: The call that was wanted.
        made: The call that was made.
        arguments: `exact`: 1 if every value is wholly alike, else 0. `nested`: the mean over all
            values of either call, at any depth; one that the other call lacks counts 0.
            `ignore`: 1.
        compare: How alike two values are.

    Returns:
        A number in [0, 1], higher is better; 1 if neither call has arguments.

    Example:
        >>> wanted = ToolCall(name="book", args={"day": "Monday", "at": {"hour": 9, "minute": 0}})
        >>> made = ToolCall(name="book", args={"day": "Monday", "at": {"hour": 9, "minute": 30}})
        >>> argument_match(wanted, made), argument_match(wanted, made, arguments="nested") == 2 / 3
        (0.0, True)
    """
    ours, theirs = dict(_leaves(wanted.args)), dict(_leaves(made.args))
    paths = ours.keys() | theirs.keys()
    matches = [
        compare(ours[path], theirs[path]) if path in ours and path in theirs else 0.0
        for path in paths
    ]
    if not matches or arguments == "ignore":
        return 1.0
    return sum(matches) / len(matches) if arguments == "nested" else float(min(matches) >= 1)


def distinct_calls(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return the calls in order, each at its first place only; the order of arguments is no matter.

    Example:
        >>> ring = ToolCall(name="ring", args={"at": 9})
        >>> len(distinct_calls([ring, ring, ToolCall(name="ring", args={"at": 10})]))
        2
    """
    distinct: list[ToolCall] = []
    for call in calls:
        if not any(call.name == other.name and argument_match(call, other) for other in distinct):
            distinct.append(call)
    return tuple(distinct)


def tool_call_accuracy(matches: Sequence[float], wanted: int, made: int) -> float | None:
    """Return the matches of the paired calls over the number of calls, wanted or made.

    Args:
        matches: One entry a pair, in [0, 1].
        wanted: How many calls were wanted.
        made: How many were made.

    Returns:
        A number in [0, 1], higher is better, 1 only if exactly the calls wanted were made; None
        if none was wanted and none made.

    Example:
        >>> tool_call_accuracy([1.0, 0.5], wanted=2, made=3), tool_call_accuracy([], 0, 0)
        (0.5, None)
    """
    most = max(wanted, made)
    return sum(matches) / most if most else None


def tool_call_f1(matches: Sequence[float], wanted: int, made: int) -> float | None:
    """Return 2 · sum of matches / (calls wanted + calls made).

    Args:
        matches: One entry a pair, in [0, 1].
        wanted: How many calls were wanted.
        made: How many were made.

    Returns:
        A number in [0, 1], higher is better; None if none was wanted and none made.

    Example:
        >>> tool_call_f1([1.0, 1.0], wanted=2, made=4) == 2 / 3
        True
    """
    total = wanted + made
    return 2 * sum(matches) / total if total else None


def paired_matches(
    wanted: Sequence[ToolCall],
    made: Sequence[ToolCall],
    *,
    order: Order = "ordered",
    arguments: ArgumentMatch = "exact",
    compare: Compare = same_value,
) -> tuple[tuple[int, int, float], ...]:
    """Pair calls of the same tool so that they match best, and return each pair with its match.

    Returns:
        The number of the call wanted, of the call made, and their match in (0, 1]; in order of
        the calls wanted. Empty if there are no calls.

    Example:
        >>> a, b = ToolCall(name="a"), ToolCall(name="b")
        >>> paired_matches([a, b], [b, a])
        ((0, 1, 1.0),)
        >>> paired_matches([a, b], [b, a], order="unordered")
        ((0, 1, 1.0), (1, 0, 1.0))
        >>> paired_matches([a, b], [b, a], order="strict")
        ()
    """
    if order == "strict" and [call.name for call in wanted] != [call.name for call in made]:
        return ()
    table = np.zeros((len(wanted), len(made)))
    for row, ours in enumerate(wanted):
        for column, theirs in enumerate(made):
            if ours.name == theirs.name:
                table[row, column] = argument_match(
                    ours, theirs, arguments=arguments, compare=compare
                )
    pairs = {"ordered": _in_order, "unordered": _in_any_order, "strict": _in_place}[order](table)
    return tuple((i, j, float(table[i, j])) for i, j in pairs if table[i, j] > 0)


def _in_place(table: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return each call wanted with the call made in its place."""
    return [(number, number) for number in range(len(table))]


def _in_order(table: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the pairs that do not cross and sum to the most, by dynamic programming."""
    rows, columns = table.shape
    best = np.zeros((rows + 1, columns + 1))
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            best[i, j] = max(best[i + 1, j], best[i, j + 1], table[i, j] + best[i + 1, j + 1])
    pairs, i, j = [], 0, 0
    while i < rows and j < columns:
        if best[i, j] == table[i, j] + best[i + 1, j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i, j] == best[i, j + 1]:
            j += 1
        else:
            i += 1
    return pairs


def _in_any_order(table: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the pairs that sum to the most, by the Hungarian algorithm."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(table, maximize=True)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True)]


def _leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield each value without parts, with its path; an empty container is such a value."""
    parts: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list | tuple):
        parts = list(enumerate(value))
    if not parts:
        if path:
            yield path, value
        return
    for key, part in parts:
        yield from _leaves(part, (*path, key))
