"""What a golden item has cost before: the calls and tokens of a generation for each item kept."""

from dataclasses import dataclass, replace
from pathlib import Path

from llamaindex_rag_eval.models.usage import Count
from llamaindex_rag_eval.stats.inference import wilson
from testset.generation.account import count_in, count_in_summary, earlier_account
from testset.golden.golden_set import GoldenSet, with_report

Range = tuple[float, float, float]
"""The least, the expected and the most."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What an item has cost that was kept, with all that was written for it and turned down.

    Attributes:
        calls: Calls of models for one kept item.
        tokens: Tokens sent and received for it.
        sent: Share of the tokens that were sent, in [0, 1].
        source: Where the figures come from, as a sentence without its stop.
    """

    calls: Range
    tokens: Range
    sent: float
    source: str

    def times(self, factor: float) -> "Observed":
        """Return these figures with so many times the tokens."""
        low, expected, high = (factor * tokens for tokens in self.tokens)
        return replace(self, tokens=(low, expected, high))

    @classmethod
    def of(cls, spent: Count, *, kept: int, tried: int, source: str) -> "Observed | None":
        """Return what an item has cost; `None` if none was kept.

        The ends of the range follow from the 95 % interval (Wilson's) of the share that is kept.
        """
        share = wilson(kept, tried)
        if not kept or share is None:
            return None
        tokens = spent.prompt_tokens + spent.completion_tokens
        least, most = 1 / (tried * share.high), 1 / (tried * share.low)
        return cls(
            calls=(least * spent.calls, spent.calls / kept, most * spent.calls),
            tokens=(least * tokens, tokens / kept, most * tokens),
            sent=spent.prompt_tokens / max(1, tokens),
            source=f"{kept} of {tried} attempts were kept in {source}",
        )


RECORDED = Observed(
    calls=(1.7, 1.9, 2.2),
    tokens=(4_900, 5_400, 6_200),
    sent=0.89,
    source=(
        "200 questions over 21 folders took, by a capable model (30 November 2026), scaled by "
        "the tokens that your documents take"
    ),
)
"""Where nothing else is known."""
NOTHING = Observed(calls=(0, 0, 0), tokens=(0, 0, 0), sent=0, source="")
"""Where rules write."""


def observed_in(path: Path) -> Observed | None:
    """Return what an item has cost in the generation behind a journal or a golden set.

    `None` if the file does not say, because rules wrote or nothing was kept yet.

    Raises:
        DatasetError: The file is neither.
    """
    state = earlier_account(path)
    if state:
        kept, tried = state.get("kept", 0), state.get("tried", 0)
        return Observed.of(count_in(state), kept=kept, tried=tried, source=path.name)
    golden = with_report(GoldenSet.read(path), path)
    spent = count_in_summary(golden.facts)
    if spent is None:
        return None
    kept = int(golden.facts.get("new items", len(golden)))
    return Observed.of(spent, kept=kept, tried=kept + len(golden.rejected), source=path.name)
