"""Nugget recall: how many of the facts that a good answer needs does the response state?

    nugget_recall = sum over nuggets i of w_i · s_i / sum of w_i

s_i is 1 if the response supports nugget i, 0.5 if it supports it partly, else 0. w_i is 1 for a
vital nugget; for an okay one it is 0 (`of=vital`), 1 (`of=all`) or 0.5 (`of=weighted`).

The nuggets are the sample's `reference_facts`, which say what is vital; without them the claims of
the reference, all vital.

Source: Pradeep et al. (2024), "Initial Nugget Evaluation Results for the TREC 2024 RAG Track with
the AutoNuggetizer Framework", section 3, https://arxiv.org/abs/2411.09607.
"""

import math
from collections.abc import Sequence
from typing import Literal

from llamaindex_rag_eval.data.sample import Fact
from llamaindex_rag_eval.judge import ClaimsOf, SupportOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample

Nuggets = Literal["vital", "all", "weighted"]
"""Which nuggets count: the vital ones, all alike, or okay ones by half."""


def nugget_recall_score(
    nuggets: Sequence[Fact], stated: Sequence[float], *, of: Nuggets = "vital"
) -> float | None:
    """Return the weighted mean of how far the nuggets are stated.

    Args:
        nuggets: What a good answer states.
        stated: How far the response states each, in [0, 1].
        of: Which nuggets count.

    Returns:
        A number in [0, 1], higher is better; None if no nugget counts.

    Example:
        >>> nuggets = [Fact(text="a"), Fact(text="b"), Fact(text="c", importance="okay")]
        >>> [nugget_recall_score(nuggets, [1, 0, 1], of=of) for of in ("vital", "all", "weighted")]
        [0.5, 0.6666666666666666, 0.6]
    """
    okay = {"vital": 0.0, "all": 1.0, "weighted": 0.5}[of]
    weights = [1.0 if nugget.importance == "vital" else okay for nugget in nuggets]
    total = math.fsum(weights)
    covered = math.fsum(weight * share for weight, share in zip(weights, stated, strict=True))
    return covered / total if total else None


class NuggetRecall(Metric):
    """Share of the nuggets of a good answer that the response states, in [0, 1]; higher is better.

    Asks the judge for the support of the nuggets by the response, and for the claims of the
    reference where the sample has no `reference_facts`.

    Limitations: It is a recall: wrong statements beside the nuggets cost nothing, and longer
    answers tend to score higher.

    Args:
        judge: Who judges.
        of: `vital` nuggets alone, `all` alike, or `weighted`: okay ones count half.
        strict: Count a nugget that is partly stated as not stated, not as half.
        threshold: From which value on a result passes.

    Raises:
        InputError: A setting is none of these.
    """

    name = "nugget_recall"
    needs = frozenset({"query", "response"})
    needs_one_of = (frozenset({"reference_facts"}), frozenset({"reference"}))
    requests = (ClaimsOf, SupportOf)
    undefined = "The reference states no such nugget."

    of: Nuggets = "vital"
    strict: bool = False

    async def measure(self, sample: SingleTurnSample) -> Score:
        nuggets = sample.reference_facts or tuple(
            Fact(text=claim)
            for claim in await self.judge.claims(sample.reference, question=sample.query)
        )
        supports = await self.judge.support(
            [nugget.text for nugget in nuggets],
            sources=[sample.response],
            question=sample.query,
            answers=True,
        )
        stated = [
            1.0 if entry.supported else 0.5 * (entry.verdict == "partly" and not self.strict)
            for entry in supports
        ]
        evidence = {
            "nuggets": [
                {"importance": nugget.importance, "support": entry}
                for nugget, entry in zip(nuggets, supports, strict=True)
            ]
        }
        return Score(nugget_recall_score(nuggets, stated, of=self.of), evidence)
