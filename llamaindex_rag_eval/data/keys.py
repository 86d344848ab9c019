"""Keys: secrets of the environment, and what looks like a key, are left out of texts.

A message may repeat a key, since whoever raises an error has often just sent one. Messages are
masked where they become part of a sample or a result, and once more where they are shown.
"""

import os
import re
from functools import cache
from typing import TypeVar

from llamaindex_rag_eval.data.plain_text import mapped_texts

T = TypeVar("T")

MASK = "[key]"

_is_secret = cache(re.compile(r"(?i)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)S?\Z").search)
"""Whether a variable of the environment holds a secret, by how its name ends."""

SHORTEST_KEY = 8
"""Characters. Local servers need no key and are sent a word such as "none": it may be shown."""

BEGINNINGS = {
    "sk-": r"(?=[\w*.-]*[\d*]|[\w*.-]{7})[\w*.-]*[\w*]",  # neither "sk-SK" nor "sk-learn"
    "hf_": r"\w{16,}",
    "gh": r"[oprsu]_\w{16,}",
    "github_pat_": r"\w{16,}",
    "glpat-": r"[\w-]{10,}",
    "xox": r"[a-z]-[\w-]{10,}",  # Slack
    "AKIA": r"[0-9A-Z]{16}\b",
    "ASIA": r"[0-9A-Z]{16}\b",
    "AIza": r"[\w-]{35}",  # Google
    "eyJ": r"[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*",  # a JSON Web Token
}
"""How keys begin -> how they go on."""

LOOKS_LIKE_A_KEY = tuple(
    re.compile(pattern)
    for pattern in (
        # Literal beginnings come first: the engine finds these at the speed of `str.find`.
        *(rf"(){head}(?<!\w{head}){tail}" for head, tail in BEGINNINGS.items()),
        r"(earer\s+)(?=[A-Za-z]*[\d.~+/*_-]\w)[\w.~+/*-]{8,}=*",  # no "bearer securities"
        r"(uthorization['\"]?\s*[:=]\s*['\"]?(?:[Bb](?:earer|asic)\s+)?)[\w.~+/*-]{8,}=*",
        r"(?i)(api[-_]?key['\"]?\s*[:=]\s*['\"]?)[\w*.-]{8,}",
        r"(://[^\s/:@'\"]*:)(?!\*+@)[^\s/@'\"]+(?=@)",  # the password in a URL
    )
)
"""What comes before a key, kept, and the key."""


def without_keys(value: T, *known: str) -> T:
    """Return a message in which `[key]` stands for secrets, and for whatever looks like a key.

    Args:
        value: A text, or JSON data whose texts are masked.
        known: Keys that are replaced whatever they look like.

    Example:
        >>> without_keys("Incorrect API key: sk-abc***xyz. Authorization: Bearer abcdefgh1")
        'Incorrect API key: [key]. Authorization: Bearer [key]'
        >>> without_keys("postgresql://me:hunter2@db/runs cannot be opened")
        'postgresql://me:[key]@db/runs cannot be opened'
    """

    def masked(text: str) -> str:
        for pattern in LOOKS_LIKE_A_KEY:
            text = pattern.sub(rf"\1{MASK}", text)
        return text

    return mapped_texts(without_secrets(value, *known), masked)


def without_secrets(value: T, *known: str) -> T:
    """Return a text, or JSON data, in which `[key]` stands for the secrets of the environment.

    A document may well show what keys look like, so that the content of answers and contexts is
    held against these values alone.
    """
    secrets = sorted({*known, *_secrets()}, key=len, reverse=True)

    def masked(text: str) -> str:
        for secret in secrets:
            if len(secret) >= SHORTEST_KEY:
                text = text.replace(secret, MASK)
        return text

    return mapped_texts(value, masked)


def _secrets() -> set[str]:
    """Return the values of variables that hold secrets; a mere word holds the place of one."""
    return {key for n in os.environ if _is_secret(n) and not (key := os.environ[n]).isalpha()}
