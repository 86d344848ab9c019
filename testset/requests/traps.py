"""Question types that a pipeline should not answer plainly: it refuses, asks back or corrects.

For each the prompt and the request that writes it. Of documents in conflict, both are named.
"""

from typing import Any, ClassVar

from llamaindex_rag_eval.models.prompt import Prompt
from testset.requests.question import (
    FactWire,
    QuestionOf,
    Settings,
    WriteInput,
    WriteOutput,
    answer_facts,
    question_prompt,
)

CONFLICT = question_prompt(
    "conflict",
    """\
The facts of different documents disagree on one point. Ask about that point as someone who does not know of the disagreement. The answer gives what each document says, and that they disagree. Use two facts.""",
    (
        WriteInput(
            facts=(
                FactWire(id=1, fact="The Brevik yard closed in 2004.", document="yards.md"),
                FactWire(
                    id=2, fact="The Brevik yard was closed down in 2006.", document="history.md"
                ),
            ),
            settings=Settings(language="en"),
        ),
        WriteOutput(
            used=(1, 2),
            history=(),
            question="In which year did the Brevik yard close?",
            answer="The documents disagree: one says 2004, the other 2006.",
            answer_facts=answer_facts(
                "One document says that the Brevik yard closed in 2004.",
                "One document says that the Brevik yard closed in 2006.",
            ),
        ),
    ),
)


class ConflictOf(QuestionOf):
    """A question on which documents disagree."""

    prompt: ClassVar[Prompt[Any, Any] | None] = CONFLICT
    least: ClassVar[int] = 2


FALSE_PREMISE = question_prompt(
    "false_premise",
    """\
The question takes for granted something that a fact contradicts: another number, date, name or order. It asks on from there as if it were true. The answer corrects the assumption, from the fact.""",
    (
        WriteInput(
            facts=(FactWire(id=1, fact="The Orla ferry has run on batteries since 2019."),),
            settings=Settings(language="en"),
        ),
        WriteOutput(
            used=(1,),
            history=(),
            question="Why was the Orla ferry switched to batteries only in 2022?",
            answer="It was not in 2022: the Orla ferry has run on batteries since 2019.",
            answer_facts=answer_facts(
                "The Orla ferry has run on batteries since 2019.",
            ),
        ),
    ),
)


class FalsePremiseOf(QuestionOf):
    """A question that assumes something wrong."""

    prompt: ClassVar[Prompt[Any, Any] | None] = FALSE_PREMISE


UNANSWERABLE = question_prompt(
    "unanswerable",
    """\
Ask for something that the facts, and what likely stands around them, do not tell: a near miss. Same subject, same kind of detail, but another figure, date, name, place or limit; not how or why something is done, of which documents mostly tell a part. It must sound as if the documents could answer it. Ask for that alone, and for nothing that the facts tell, so that no half of it has an answer. `answer` and `answer_facts` are empty; `used` lists the facts that it comes near.""",
    (
        WriteInput(
            facts=(FactWire(id=1, fact="The Lume lamp weighs 310 grams."),),
            settings=Settings(language="en"),
        ),
        WriteOutput(
            used=(1,),
            history=(),
            question="Who designed the Lume lamp?",
            answer="",
            answer_facts=answer_facts(),
        ),
    ),
)


class UnanswerableOf(QuestionOf):
    """A question that the documents come near, and do not answer."""

    prompt: ClassVar[Prompt[Any, Any] | None] = UNANSWERABLE
    answered: ClassVar[bool] = False


UNDERSPECIFIED = question_prompt(
    "underspecified",
    """\
Leave out what is needed to choose between two facts: the question fits both, and each would give another answer. The answer says what must be known first, and what the candidates are. Use two facts.""",
    (
        WriteInput(
            facts=(
                FactWire(id=1, fact="The Lume lamp runs for nine hours."),
                FactWire(id=2, fact="The Nord lantern runs for 20 hours."),
            ),
            settings=Settings(language="en"),
        ),
        WriteOutput(
            used=(1, 2),
            history=(),
            question="How long does the lamp run?",
            answer="That depends on which lamp is meant: the Lume lamp or the Nord lantern.",
            answer_facts=answer_facts(
                "The Lume lamp runs for nine hours.",
                "The Nord lantern runs for 20 hours.",
            ),
        ),
    ),
)


class UnderspecifiedOf(QuestionOf):
    """A question that must be asked back."""

    prompt: ClassVar[Prompt[Any, Any] | None] = UNDERSPECIFIED
    least: ClassVar[int] = 2
