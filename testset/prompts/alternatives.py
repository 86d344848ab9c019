"""How a model is asked whether other passages answer a question, and how."""

from typing import Literal

from llamaindex_rag_eval.judge.prompts.parts import Numbered, Wire, numbered
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["ALTERNATIVES", "AlternativesInput", "AlternativesOutput", "PassageVerdict"]


class AlternativesInput(Wire):
    """The passages, the question, and the answer it is known to have; empty if none is known."""

    passages: tuple[Numbered, ...]
    question: str
    answer: str = ""


class PassageVerdict(Wire):
    """What one passage does with the question."""

    passage: int
    reason: str
    quote: str
    verdict: Literal["no", "same", "other"]


class AlternativesOutput(Wire):
    """One verdict for each passage."""

    verdicts: tuple[PassageVerdict, ...]


ALTERNATIVES = Prompt[AlternativesInput, AlternativesOutput](
    name="alternatives",
    instruction="""\
For each of `passages`, decide whether it alone answers `question` in full.
- same: it does, and as `answer` says. If no answer is given: it does, whatever it says.
- other: it answers that very question, about the same thing, otherwise than `answer`.
- no: it does not, or only in part, or it speaks of another thing, time or place.
- `quote` is the shortest stretch that answers, copied word for word; empty for "no". `reason` first, in at most 12 words.
- Give exactly one verdict for each passage, in order of their ids.""",
    input=AlternativesInput,
    output=AlternativesOutput,
    examples=(
        Example(
            input=AlternativesInput(
                passages=numbered(
                    [
                        "On one charge the Lume lamp gives light for nine hours.",
                        "The Nord lantern runs for 20 hours.",
                        "A Lume lamp is empty after six hours.",
                    ]
                ),
                question="How long does the Lume lamp run on one charge?",
                answer="Nine hours.",
            ),
            output=AlternativesOutput(
                verdicts=(
                    PassageVerdict(
                        passage=1,
                        reason="The same time.",
                        quote="the Lume lamp gives light for nine hours",
                        verdict="same",
                    ),
                    PassageVerdict(passage=2, reason="Another lamp.", quote="", verdict="no"),
                    PassageVerdict(
                        passage=3,
                        reason="Six hours, not nine.",
                        quote="A Lume lamp is empty after six hours",
                        verdict="other",
                    ),
                )
            ),
        ),
    ),
)
