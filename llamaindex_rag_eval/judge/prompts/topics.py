"""How a model is asked which topics the questions of a conversation belong to."""

from llamaindex_rag_eval.judge.prompts.parts import Numbered, Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["TOPICS", "TopicTurn", "TopicVerdict", "TopicsInput", "TopicsOutput"]


class TopicTurn(Wire):
    """A question and what was answered."""

    id: int
    question: str
    answer: str


class TopicsInput(Wire):
    """The topics that are allowed, then the turns."""

    topics: tuple[Numbered, ...]
    turns: tuple[TopicTurn, ...]


class TopicVerdict(Wire):
    """The verdict on one turn."""

    turn: int
    reason: str
    topics: tuple[int, ...]
    declined: bool


class TopicsOutput(Wire):
    """One verdict for each turn."""

    verdicts: tuple[TopicVerdict, ...]


TOPICS = Prompt[TopicsInput, TopicsOutput](
    name="topics",
    instruction="""\
For each of `turns`, decide which of `topics` its `question` belongs to, and whether its `answer` declines.
- `topics` lists the ids of the topics that the question is about, seen as a part of the conversation so far; it is empty if the question is about none of them.
- declined is true if the answer turns the question away or says that it is not what the assistant is there for, false if it answers, rightly or not.
- `reason` first, in at most 12 words.
- Give exactly one verdict for each turn, in order of their ids.""",
    input=TopicsInput,
    output=TopicsOutput,
    examples=(
        Example(
            input=TopicsInput(
                topics=(
                    Numbered(id=1, text="bicycle repair"),
                    Numbered(id=2, text="bicycle routes"),
                ),
                turns=(
                    TopicTurn(
                        id=1,
                        question="How do I mend a flat tyre?",
                        answer="Take the wheel off, find the hole and patch the tube.",
                    ),
                    TopicTurn(
                        id=2,
                        question="And who will win the election?",
                        answer="I can only help with bicycles.",
                    ),
                ),
            ),
            output=TopicsOutput(
                verdicts=(
                    TopicVerdict(
                        turn=1, reason="A tyre is a matter of repair.", topics=(1,), declined=False
                    ),
                    TopicVerdict(turn=2, reason="Politics; turned away.", topics=(), declined=True),
                )
            ),
        ),
    ),
)
