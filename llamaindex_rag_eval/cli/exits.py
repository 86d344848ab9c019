"""Exit codes: what a script learns from how a command ended."""

from collections.abc import Mapping
from enum import IntEnum

__all__ = ["EXITS", "Exit"]


class Exit(IntEnum):
    """How a command ended."""

    OK = 0
    PARTLY = 1
    WRONG = 2
    GATE = 3
    INTERRUPTED = 130


EXITS: Mapping[Exit, str] = {
    Exit.OK: "everything was done",
    Exit.PARTLY: "done, but some results failed, or a golden set is smaller than asked for",
    Exit.WRONG: "wrong usage or input; nothing was started",
    Exit.GATE: "a gate did not hold",
    Exit.INTERRUPTED: "interrupted; what was written is kept, run it again to go on",
}
"""Exit code -> what it means."""
