"""One check of a gate: what must hold, whether it does, and what was found."""

from dataclasses import dataclass

from pydantic import JsonValue

__all__ = ["Check"]


@dataclass(frozen=True, slots=True)
class Check:
    """What a gate asks of a run, and the answer.

    Attributes:
        rule: What must hold, in words.
        held: Whether it does.
        message: What was found, in words.
        metric: Which metric it is about; empty if about all.
        found: What was found, as a number; `None` where there is none.
        bound: What it is held against; `None` where that is no fixed number.
    """

    rule: str
    held: bool
    message: str
    metric: str = ""
    found: float | None = None
    bound: float | None = None

    def as_json(self) -> dict[str, JsonValue]:
        """Return it as plain data."""
        return {
            "rule": self.rule,
            "held": self.held,
            "message": self.message,
            "metric": self.metric,
            "found": self.found,
            "bound": self.bound,
        }
