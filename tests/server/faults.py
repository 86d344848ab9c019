"""Seeded faults: which calls fail, how, and for how many attempts."""

import json
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Literal, get_args

ContentKind = Literal[
    "malformed_json",
    "truncated_json",
    "missing_item",
    "extra_item",
    "out_of_range",
    "prose_around",
    "code_fence",
    "trailing_comma",
    "empty_reply",
    "refusal",
    "refusal_text",
]
TransportKind = Literal[
    "rate_limited",
    "server_error",
    "unavailable",
    "overloaded",
    "bad_request",
    "unauthorized",
    "dropped",
    "dropped_mid_body",
    "stalled",
    "wrong_content_type",
]
OddKind = Literal[
    "nothing_in_reply",
    "null_reply",
    "error_in_reply",
    "no_choices",
    "null_choices",
    "null_message",
    "null_content",
    "content_filter",
    "invalid_utf8",
    "half_a_body",
    "empty_body",
]
"""Replies of status 200 that hold no answer."""
FaultKind = Literal[ContentKind, TransportKind, OddKind]

CONTENT_KINDS: frozenset[str] = frozenset(get_args(ContentKind))
KINDS: frozenset[str] = CONTENT_KINDS | frozenset(get_args(TransportKind) + get_args(OddKind))


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One way to fail, and the share of request bodies that it befalls.

    Attributes:
        kind: How the call fails.
        rate: The share of bodies, in [0, 1].
        mode: `transient` befalls the first `attempts` calls of a body, `permanent` all.
        attempts: How many calls of a body a transient fault spoils, from 1.
        retry_after: Seconds in the `Retry-After` header of a 429, 503 or 529; None sends no header.
        as_date: Whether that header names the date instead.
        stall: Seconds that a stalled body pauses before its rest is sent.
        on: Schema, tool or marker names, or `embeddings`, that it is limited to; empty is all.
    """

    kind: FaultKind
    rate: float = 1.0
    mode: Literal["transient", "permanent"] = "transient"
    attempts: int = 1
    retry_after: float | None = None
    as_date: bool = False
    stall: float = 5.0
    on: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"unknown fault {self.kind!r}; known are {sorted(KINDS)}")
        if self.mode not in ("transient", "permanent"):
            raise ValueError(f"mode is {self.mode!r}; expected 'transient' or 'permanent'")
        if not 0 <= self.rate <= 1:
            raise ValueError(f"rate is {self.rate!r}; expected a share in [0, 1]")
        if self.attempts < 1:
            raise ValueError(f"attempts is {self.attempts!r}; expected at least 1")

    def befalls(self, name: str) -> bool:
        """Return whether calls of this name can fail this way."""
        if name == "embeddings" and self.kind in CONTENT_KINDS:
            return False
        return not self.on or name in self.on


class Faults:
    """Faults that share out the request bodies: a body is befallen by one of them at most.

    Raises:
        ValueError: The rates that meet on one name sum to more than 1.
    """

    def __init__(self, *faults: Fault, seed: int = 0) -> None:
        self.faults = faults
        self.seed = seed
        names = {name for fault in faults for name in fault.on} | {""}
        for name in names:
            total = sum(fault.rate for fault in faults if fault.befalls(name))
            # Ten rates of a tenth sum to a little more or less than 1.
            if total > 1 + 1e-9:
                raise ValueError(f"the rates on {name or 'all names'!r} sum to {total}; at most 1")

    def choose(self, digest: bytes, *, name: str, attempt: int) -> Fault | None:
        """Return the fault of this attempt, counted from 1, at this body, or None."""
        if not self.faults:
            return None
        seeded = blake2b(digest, digest_size=8, key=str(self.seed).encode()).digest()
        left = int.from_bytes(seeded, "big") / 2**64
        for fault in self.faults:
            if not fault.befalls(name):
                continue
            if left < fault.rate:
                spoils = fault.mode == "permanent" or attempt <= fault.attempts
                return fault if spoils else None
            left -= fault.rate
        return None

    def to_json(self) -> str:
        """Return these faults as the text that `from_json` reads."""
        return json.dumps({"seed": self.seed, "faults": [asdict(fault) for fault in self.faults]})

    @classmethod
    def from_json(cls, text: str) -> "Faults":
        """Read `{"seed": 0, "faults": [{"kind": ..., "rate": ...}, ...]}`."""
        read = json.loads(text)
        return cls(*(_fault(entry) for entry in read.get("faults", ())), seed=read.get("seed", 0))


def _fault(entry: dict[str, object]) -> Fault:
    on = entry.get("on", ())
    if not isinstance(on, list | tuple):
        raise ValueError(f"'on' is {on!r}; expected a list of names")
    return Fault(**{**entry, "on": tuple(on)})  # type: ignore[arg-type]  # checked in __post_init__
