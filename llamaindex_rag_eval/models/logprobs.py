"""How sure a model was of one word of its reply, from the log-probabilities of its tokens.

OpenAI's chat completions give them (`logprobs`, `top_logprobs`), and so do the servers that speak
its protocol. A word of a closed set is decided at the token that holds its first letters: there the
other words of the set stand among the alternatives.

Nothing is guessed: where the tokens are not the text of the reply, or the reply is not one JSON
object that says what was read from it, there are no chances.
"""

import json
import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from llamaindex_rag_eval.models.response import Completion, entry_of

ALTERNATIVES = 5
"""Tokens in each place whose probabilities are asked for; most servers give no more than 20."""

_LEXEME = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"{}\[\]:,]+|[{}\[\]:,]', re.DOTALL)
"""A string, a number or literal, or a bracket, colon or comma of JSON."""


@dataclass(frozen=True, slots=True)
class Chances:
    """How sure a model was of one word.

    Attributes:
        by_word: Word -> its probability, in [0, 1]; words that were not seen are left out.
        unseen: The probability of all other words together: 0 where the alternatives are known, for
            then the probabilities are divided by their sum; else what the written word leaves.
    """

    by_word: Mapping[str, float]
    unseen: float = 0.0

    def expected(self, values: Mapping[str, float], *, unseen: float) -> float:
        """Return the mean of the words' values by their probabilities.

        Args:
            values: Word -> its value.
            unseen: The value of the words that were not seen.

        Example:
            >>> Chances({"yes": 0.75}, unseen=0.25).expected({"yes": 1, "no": 0}, unseen=0.5)
            0.875
        """
        seen = sum(values[word] * chance for word, chance in self.by_word.items())
        return seen + unseen * self.unseen


def chances_of(
    completion: Completion, key: str, words: Sequence[str], written: Sequence[str]
) -> tuple[Chances | None, ...]:
    """Return how sure a model was of each value of a key, in the order of the reply.

    Args:
        completion: The reply.
        key: Whose values are words of a closed set.
        words: The set. Words with the same first letters cannot always be told apart.
        written: The values as they were read from the reply, in its order.

    Returns:
        One entry for each of `written`: `None` where it is not known. All are `None` if the reply
        came without log-probabilities, or they do not fit to what was read.
    """
    unknown: tuple[None, ...] = (None,) * len(written)
    values = list(_values_of(completion.text, key)) if completion.logprobs else []
    if [word for _, word in values] != list(written):
        return unknown
    try:
        pieces = [_piece(entry) for entry in completion.logprobs]
        text, whole = completion.text.encode(), b"".join(pieces)
        if whole.count(text) != 1:
            return unknown
        base, starts = whole.index(text), [0, *accumulate(map(len, pieces))]
        chances = []
        for start, word in values:
            at = base + len(completion.text[:start].encode())
            number = bisect_right(starts, at) - 1
            before = pieces[number][: at - starts[number]]
            chances.append(_at(completion.logprobs[number], before, word, words))
    except (AttributeError, TypeError, ValueError):  # they are not as OpenAI's API has them
        return unknown
    return tuple(chances)


def _values_of(text: str, key: str) -> Iterator[tuple[int, str]]:
    """Yield where each text that is the value of a key begins, and the text; none if no JSON.

    Prose or a code fence may stand around the one object.
    """
    first, last = text.find("{"), text.rfind("}") + 1
    try:
        json.loads(text[first:last])
    except (ValueError, RecursionError):
        return
    before = ("", "")
    for lexeme in _LEXEME.finditer(text, first, last):
        if before == (f'"{key}"', ":"):
            yield lexeme.start() + 1, lexeme[0][1:-1]
        before = (before[1], lexeme[0])


def _piece(entry: object) -> bytes:
    """Return the bytes of a token: one character may be written in several, none of them a text."""
    given = entry_of(entry, "bytes")
    written: bytes = entry_of(entry, "token").encode() if given is None else bytes(given)
    return written


def _chance(entry: object) -> float:
    logprob = float(entry_of(entry, "logprob"))
    if math.isnan(logprob):
        raise ValueError("a log-probability is no number")
    return math.exp(min(0.0, logprob))


def _at(entry: object, before: bytes, word: str, words: Sequence[str]) -> Chances | None:
    """Return the chances of the words at the token that begins one, after the bytes before it."""
    listed = [*(entry_of(entry, "top_logprobs") or ()), entry]  # what was written may be in both
    tokens = {_piece(token): _chance(token) for token in listed}
    chances: dict[str, float] = {}
    for piece, chance in tokens.items():
        rest = piece[len(before) :]
        if piece.startswith(before) and rest:
            fitting = [w for w in words if _may_be(rest, w)]
            if len(fitting) == 1:
                chances[fitting[0]] = chances.get(fitting[0], 0.0) + chance
    if not chances.get(word):
        return None
    total = sum(chances.values())
    if len(tokens) == 1:
        return Chances(chances, unseen=1 - total)
    return Chances({token: chance / total for token, chance in chances.items()})


def _may_be(rest: bytes, word: str) -> bool:
    """Return whether a token begins a word, or is all of it and the quotation mark after it."""
    return word.encode().startswith(rest) or rest.startswith(f'{word}"'.encode())
