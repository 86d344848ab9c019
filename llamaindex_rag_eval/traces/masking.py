"""Masking: personal data in texts is replaced by what kind of data it was."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from llamaindex_rag_eval.errors import InputError

PATTERNS: Mapping[str, str] = {
    # Only where a word begins: from every letter of a long one the search would take its square.
    "EMAIL": r"(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+",
    "IBAN": r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b",
    "CARD": r"(?<![\d.,-])(?<!\d )(?:[2-6]\d{12,18}|[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{1,7}"
    r"|3\d{3}([ -])\d{6}\2\d{4,5})(?![ -]?\d)",
    "PHONE": r"(?<![\w.+/-])(?<!\d,)(?:\+|00)\d(?:[ ()./-]{0,2}\d){6,14}(?![\w/-])"
    r"|(?<![\w.+/-])(?<!\d,)\(?0\d{1,5}\)?[ /-]{1,3}\d(?:[ -]?\d){4,10}(?![\w/-])"
    r"|(?<![\w.+/-])\(?[2-9]\d{2}\)?[ .-]\d{3}[ .-]\d{4}(?![\w/-])",
}
"""Kind of personal data -> what it looks like, in the order in which texts are searched."""

DATE = re.compile(r"\d{1,4}[-/. ]\d{1,2}[-/. ]\d{2,4}(?!\d)")
"""Dates look like phone numbers: 01-02-2024."""


class Masker:
    """Replace personal data in all texts of a value.

    Card numbers are told from other numbers by Luhn's check digit, IBANs by theirs (ISO 7064). The
    same datum gets the same number within a value: `[EMAIL 1]`, `[EMAIL 2]`.

    Args:
        patterns: More kinds of data -> regular expressions. They are searched first. One with the
            name of a built-in kind replaces it.

    Raises:
        InputError: One is no regular expression.

    Example:
        >>> print(Masker().mask("Write to ann@example.com or +49 30 1234567, not ann@example.com."))
        Write to [EMAIL 1] or [PHONE 1], not [EMAIL 1].
    """

    def __init__(self, patterns: Mapping[str, str] | None = None) -> None:
        own = dict(patterns or {})
        self._patterns: dict[str, re.Pattern[str]] = {}
        for name, pattern in {**own, **{k: v for k, v in PATTERNS.items() if k not in own}}.items():
            try:
                self._patterns[name] = re.compile(pattern)
            except re.error as error:
                raise InputError(
                    f"the pattern {name!r} is no regular expression: {error}"
                ) from None
        self._checks = {k: v for k, v in CHECKS.items() if k not in own}

    def mask(self, value: Any) -> Any:
        """Return a value, a text or JSON, with personal data replaced in every text and name."""
        return self._masked(value, {})

    def _masked(self, value: Any, known: dict[tuple[str, str], str]) -> Any:
        if isinstance(value, str):
            return self._masked_text(value, known)
        if isinstance(value, int) and not isinstance(value, bool):
            text = self._masked_text(str(value), known)
            return value if text == str(value) else text
        if isinstance(value, Mapping):
            return {self._masked(k, known): self._masked(v, known) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self._masked(entry, known) for entry in value]
        return value

    def _masked_text(self, text: str, known: dict[tuple[str, str], str]) -> str:
        for name, pattern in self._patterns.items():
            text = pattern.sub(partial(self._mark, name, known), text)
        return text

    def _mark(self, name: str, known: dict[tuple[str, str], str], match: re.Match[str]) -> str:
        datum = match[0]
        check = self._checks.get(name)
        if not datum or (check is not None and not check(datum)):
            return datum
        number = sum(kind == name for kind, _ in known) + 1
        return known.setdefault((name, datum), f"[{name} {number}]")


def _is_card(text: str) -> bool:
    """Return whether the last digit is Luhn's check digit of the others."""
    digits = [int(character) for character in reversed(text) if character.isdigit()]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return len(set(digits)) > 1 and (sum(digits[::2]) + doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    """Return whether country and check digits, put last and read in base 36, leave 1 by 97."""
    plain = text.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(character, 36)) for character in plain[4:] + plain[:4])) % 97 == 1


def _is_phone(text: str) -> bool:
    return not DATE.match(text.strip("(")) and 7 <= sum(map(str.isdigit, text)) <= 17


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "CARD": _is_card,
    "IBAN": _is_iban,
    "PHONE": _is_phone,
}
"""Kind of data -> whether what looks like it is it."""
