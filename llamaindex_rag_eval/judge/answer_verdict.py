"""Answer verdict: is the response, as an answer to its question, right?

One verdict on the whole answer, in the levels of Wei et al. (2024), "SimpleQA",
https://arxiv.org/abs/2411.04368, with a level for what is right in part, as Yang et al. (2024),
"CRAG", https://arxiv.org/abs/2406.04744, have it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from llamaindex_rag_eval.judge.rules.verdict import verdict_on
from llamaindex_rag_eval.judge.wire import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Embed, Reply, Request

AnswerLevel = Literal["right", "partly_right", "wrong", "not_attempted"]
Expected = Literal["answer", "refuse", "clarify", "correct_premise"]

SCORES: Mapping[AnswerLevel, float] = {
    "right": 1.0,
    "partly_right": 0.5,
    "wrong": 0.0,
    "not_attempted": 0.0,
}
"""What each verdict counts, the best first."""


class AnswerVerdict(Reply):
    """Whether an answer is right, and what keeps it from being so.

    Attributes:
        verdict: On the answer as a whole.
        reason: Why, in a sentence.
        missing: What the question asks for and the response lacks, in the words of the reference.
        wrong: What is wrong in the response, in its own words.
        agreement: The share of votes for this verdict; `None` unless several were asked for.
    """

    verdict: AnswerLevel
    reason: str = ""
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    agreement: float | None = Field(default=None, ge=0, le=1)

    @property
    def summary(self) -> str:
        """The verdict and its reason in one line, as "Partly right: one of two ports is missing."."""
        words = self.verdict.replace("_", " ").capitalize()
        return f"{words}: {self.reason}" if self.reason else f"{words}."


class AnswerVerdictInput(Wire):
    """The question, with the conversation before it; what is right; and what is judged."""

    question: str
    references: tuple[str, ...] = ()
    expected: Literal["", "refuse", "clarify", "correct_premise"] = ""
    response: str


class Fault(Wire):
    """One thing that is missing or wrong."""

    kind: Literal["missing", "wrong"]
    words: str


class AnswerVerdictOutput(Wire):
    """The reason, what is at fault, then the verdict."""

    reason: str
    faults: tuple[Fault, ...]
    verdict: AnswerLevel


ANSWER_VERDICT = Prompt[AnswerVerdictInput, AnswerVerdictOutput](
    name="answer_verdict",
    instruction="""\
Is `response` a right answer to `question`? What is right stands in `references`: take it as true, also where you know otherwise. To agree with one of several references is enough; slashes within a reference separate answers that are equally right, unless the question asks for several.
- right: everything the question asks for is there and agrees with a reference, and nothing contradicts it.
- partly_right: some of what the question asks for is there and agrees, and the rest is missing or wrong; or all of it is there, and a detail that the question does not ask for contradicts the reference; or a number or date fits the reference and is less exact, as "in 2019" for "12 March 2019" or a wide range around it.
- wrong: what the question asks for is answered otherwise than in the references: another name, number, date, unit, yes for no. Also: a negation of the reference; several different answers without a choice; text that answers another question.
- not_attempted: no answer is given. The response does not know, says that its text does not tell, declines, or asks back.
How to compare:
- Compare what the question asks for, no more. What a reference adds to that may be missing. A short answer or reference is read together with the question. An open question ("What are the benefits?") asks for the main points of a reference: most of them are right, some are partly_right, in whatever words.
- Other words, another language, another way to write a name, number, unit or date, polite or hedging words ("I think it is ...") and details of which the references say nothing change nothing.
- A number is right if it agrees to the last digit that the reference gives: 12.37 for 12.4. For "about 120", 118 and 124 are right and 100 is wrong.
- A hedged answer counts as an answer: if it is wrong, it is wrong.
- `expected`, where it is given, says that the question is not to be answered as it stands. refuse: right is to say that it cannot be answered. clarify: right is to ask back what is meant. correct_premise: right is to say that what the question assumes is not so. To answer in spite of it is wrong; to do both is partly_right.
`reason` first, in at most 20 words. `faults` for partly_right and wrong only: what is missing in the words of the reference, what is wrong copied from the response; otherwise an empty list.""",
    input=AnswerVerdictInput,
    output=AnswerVerdictOutput,
    examples=(
        Example(
            input=AnswerVerdictInput(
                question="When was the Orla ferry launched?",
                references=("It was launched on 12 March 2019.",),
                response="If I remember rightly, on 2019-03-12, before a thousand guests.",
            ),
            output=AnswerVerdictOutput(
                reason="The same date; the guests are a detail beside it.",
                faults=(),
                verdict="right",
            ),
        ),
        Example(
            input=AnswerVerdictInput(
                question="How many cars does the Orla ferry carry?",
                references=("It carries 14 cars and 120 passengers.",),
                response="The Orla ferry carries 40 cars and 120 passengers.",
            ),
            output=AnswerVerdictOutput(
                reason="The question asks for cars: 40 is not 14.",
                faults=(Fault(kind="wrong", words="40 cars"),),
                verdict="wrong",
            ),
        ),
        Example(
            input=AnswerVerdictInput(
                question="Who runs the Orla ferry?",
                references=("Nordlinje / Nordlinje AS, since 2019",),
                response="Nordlinje has run it since 1990.",
            ),
            output=AnswerVerdictOutput(
                reason="The company is right; the year, not asked for, is 2019.",
                faults=(Fault(kind="wrong", words="since 1990"),),
                verdict="partly_right",
            ),
        ),
        Example(
            input=AnswerVerdictInput(
                question="Which ports does the hub need?",
                references=("8443 and 5683",),
                response="It needs port 8443.",
            ),
            output=AnswerVerdictOutput(
                reason="One of the two ports is missing.",
                faults=(Fault(kind="missing", words="5683"),),
                verdict="partly_right",
            ),
        ),
        Example(
            input=AnswerVerdictInput(
                question="Who designed the hub?",
                references=("Ada Holm",),
                response="The manual says nothing about its designer.",
            ),
            output=AnswerVerdictOutput(
                reason="It names nobody.", faults=(), verdict="not_attempted"
            ),
        ),
    ),
)


class AnswerVerdictOf(Request[AnswerVerdict]):
    """Is this response a right answer to its question?

    Attributes:
        query: The question, with the conversation before it.
        response: The answer.
        references: The right answers; one of them is enough.
        expected: What a good answer does, if the question is not to be answered as it stands.
    """

    prompt: ClassVar[Prompt[Any, Any] | None] = ANSWER_VERDICT

    query: str
    response: str
    references: tuple[str, ...]
    expected: Expected = "answer"

    def by_rule(self, embed: Embed | None = None) -> AnswerVerdict:
        """Compare the words of the response with those of the references."""
        found = verdict_on(
            self.query, self.response, self.references, expected=self.expected, embed=embed
        )
        return AnswerVerdict(
            verdict=found.verdict, reason=found.reason, missing=found.missing, wrong=found.wrong
        )

    def to_prompt(self) -> AnswerVerdictInput:
        """Return the question, the references and the response."""
        return AnswerVerdictInput(
            question=self.query,
            references=self.references,
            expected="" if self.expected == "answer" else self.expected,
            response=self.response,
        )

    def from_prompt(self, output: AnswerVerdictOutput) -> AnswerVerdict:
        """Return the verdict; faults belong to an answer that is not right or right in part."""
        faults = output.faults if output.verdict in ("partly_right", "wrong") else ()
        return AnswerVerdict(
            verdict=output.verdict,
            reason=output.reason,
            missing=tuple(fault.words for fault in faults if fault.kind == "missing"),
            wrong=tuple(fault.words for fault in faults if fault.kind == "wrong"),
        )

    def majority(self, replies: Sequence[AnswerVerdict]) -> AnswerVerdict:
        """Return the verdict of most replies, the first of equals, with the share that agrees."""
        counted = Counter(reply.verdict for reply in replies)
        winner = max(counted, key=lambda verdict: counted[verdict])
        first = next(reply for reply in replies if reply.verdict == winner)
        return first.model_copy(update={"agreement": counted[winner] / len(replies)})
