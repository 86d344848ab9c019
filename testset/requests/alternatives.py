"""Alternatives: which other passages answer a question, and do they say the same?"""

from typing import Any, ClassVar, Literal

from llamaindex_rag_eval.judge.wire import (
    Numbered,
    Wire,
    check_count,
    numbered_texts,
    places_in_order,
)
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.requests.question import Turn, TurnWire, turn_wires

__all__ = ["Alternative", "Alternatives", "AlternativesOf"]


class Alternative(Reply):
    """What one passage does with a question.

    Attributes:
        verdict: "same" answers it as known (or at all, where no answer is known), "other"
            answers it otherwise, "adds" tells what the known answer misleads without, "no" does
            none of this.
        quote: The words that do.
    """

    verdict: Literal["no", "same", "other", "adds"]
    quote: str = ""


class Alternatives(Reply):
    """One verdict per passage, in order."""

    verdicts: tuple[Alternative, ...]


class AlternativesInput(Wire):
    """The passages under their headings, the conversation and the question, and the answer known.

    `answer` is empty if none is known.
    """

    passages: tuple[Numbered, ...]
    history: tuple[TurnWire, ...] = ()
    question: str
    answer: str = ""


class PassageVerdict(Wire):
    """What one passage does with the question."""

    passage: int
    reason: str
    quote: str
    verdict: Literal["no", "same", "other", "adds"]


class AlternativesOutput(Wire):
    """One verdict for each passage."""

    verdicts: tuple[PassageVerdict, ...]


ALTERNATIVES = Prompt[AlternativesInput, AlternativesOutput](
    name="alternatives",
    instruction="""\
For each of `passages`, decide whether it alone answers `question` in full. What stands in brackets above it says what it is about; "…" marks what is left out. `history`, if given, says what the question refers to.
- same: it does, and as `answer` says; what `answer` only repeats of `question` need not stand there. If no `answer` is given: it answers the question, or a part of it, whatever it says.
- other: it answers that very question, about the same thing, otherwise than `answer`.
- adds: none of these, but whoever acts on `answer` alone would go wrong, since this passage sets an exception, limit or condition for that very case, or tells a further step or member of what is asked. Rare; not what is merely told besides, and never where no `answer` is given.
- no: nothing of this; or it answers only in part, where an `answer` is given; or a step is missing that only another passage tells; or it speaks of another thing, time or place.
Give one verdict for each passage, in order of their ids: first `reason`, in English and at most 8 words; then `quote`, the shortest stretch that answers or adds, copied word for word from below the brackets, empty for "no"; then `verdict`.""",
    input=AlternativesInput,
    output=AlternativesOutput,
    examples=(
        Example(
            input=AlternativesInput(
                passages=numbered_texts(
                    [
                        "On one charge the Lume lamp gives light for nine hours.",
                        "The Nord lantern runs for 20 hours.",
                        "[Lume lamp / Battery]\nIt is empty after six hours.",
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
                        quote="It is empty after six hours",
                        verdict="other",
                    ),
                )
            ),
        ),
    ),
)


class AlternativesOf(Request[Alternatives]):
    """Which of these passages answer this question alone?"""

    prompt: ClassVar[Prompt[Any, Any] | None] = ALTERNATIVES

    question: str
    passages: tuple[str, ...]
    reference: str = ""
    history: tuple[Turn, ...] = ()

    def check(self, reply: Alternatives) -> None:
        """Check that there is one verdict per passage."""
        check_count("verdicts", len(reply.verdicts), "passages", len(self.passages))

    def stand_in(self) -> Alternatives:
        """Find that none does."""
        return Alternatives(verdicts=(Alternative(verdict="no"),) * len(self.passages))

    def to_prompt(self) -> AlternativesInput:
        """Return passages, numbered from 1, history, question and known answer."""
        return AlternativesInput(
            passages=numbered_texts(self.passages),
            history=turn_wires(self.history),
            question=self.question,
            answer=self.reference,
        )

    def from_prompt(self, output: AlternativesOutput) -> Alternatives:
        """Return the verdicts in the order of the passages."""
        given = output.verdicts
        places = places_in_order([entry.passage for entry in given], len(self.passages), "verdicts")
        return Alternatives(
            verdicts=tuple(
                Alternative(verdict=given[place].verdict, quote=given[place].quote)
                for place in places
            )
        )
