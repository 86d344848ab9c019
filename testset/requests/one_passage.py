"""Question types about one passage: for each the prompt and the request that writes it."""

from typing import Any, ClassVar

from llamaindex_rag_eval.models.prompt import Prompt
from testset.requests.question import (
    FactWire,
    QuestionOf,
    Settings,
    TurnWire,
    WriteInput,
    WriteOutput,
    answer_facts,
    question_prompt,
)

CONDITIONAL = question_prompt(
    "conditional",
    """\
Ask what holds under a condition, an exception or a case that the facts state. The question names the condition; without it the answer would be another one or none.""",
    (
        WriteInput(
            facts=(
                FactWire(
                    id=1,
                    fact="Returns are free within 30 days; after that the buyer of the Lume lamp pays the postage.",
                ),
            ),
            settings=Settings(language="en"),
        ),
        WriteOutput(
            used=(1,),
            history=(),
            question="Who pays the postage if a Lume lamp is returned after 40 days?",
            answer="The buyer.",
            answer_facts=answer_facts(
                "The buyer pays the postage of a Lume lamp returned after 30 days."
            ),
        ),
    ),
)


class ConditionalOf(QuestionOf):
    """A question about what holds under a condition."""

    prompt: ClassVar[Prompt[Any, Any] | None] = CONDITIONAL


CONVERSATIONAL = question_prompt(
    "conversational",
    """\
Write a follow-up in a conversation. `history` holds one earlier exchange: a question about a fact marked okay, and its real answer. `question` then asks `asks`, of which the other facts tell; it alone need not name things: it leans on the history, as by a pronoun, so that it is understood only together with it. `used` lists the facts of the follow-up alone.""",
    (
        WriteInput(
            facts=(
                FactWire(id=1, fact="The Orla ferry carries 120 passengers."),
                FactWire(
                    id=2, fact="The Orla ferry was built at the Brevik yard.", importance="okay"
                ),
            ),
            settings=Settings(language="en"),
            asks="how many passengers the Orla ferry carries",
        ),
        WriteOutput(
            used=(1,),
            history=(
                TurnWire(question="Where was the Orla ferry built?", answer="At the Brevik yard."),
            ),
            question="And how many passengers does it carry?",
            answer="120 passengers.",
            answer_facts=answer_facts("The Orla ferry carries 120 passengers."),
        ),
    ),
)


class ConversationalOf(QuestionOf):
    """A follow-up in a conversation."""

    prompt: ClassVar[Prompt[Any, Any] | None] = CONVERSATIONAL
    converses: ClassVar[bool] = True
    least_okay: ClassVar[int] = 1


DISTRACTING = question_prompt(
    "distracting",
    """\
Ask for one point. Work in `aside`, a true statement on something else, as a remark that does not bear on the answer but could lead a search astray. The question still stands alone and has one answer, which the aside does not change.""",
    (
        WriteInput(
            facts=(FactWire(id=1, fact="The Lume lamp weighs 310 grams."),),
            settings=Settings(language="en"),
            aside="The Nord lantern hangs in many huts.",
        ),
        WriteOutput(
            used=(1,),
            history=(),
            question="Our hut has a Nord lantern like many others, but what does the Lume lamp weigh?",
            answer="310 grams.",
            answer_facts=answer_facts("The Lume lamp weighs 310 grams."),
        ),
    ),
)


class DistractingOf(QuestionOf):
    """A question with a remark that does not bear on it."""

    prompt: ClassVar[Prompt[Any, Any] | None] = DISTRACTING


DOUBLE = question_prompt(
    "double",
    """\
Ask two things in one message, as people do, each in a clause that is whole by itself; each is answered by a fact of its own. The answer answers both.""",
    (
        WriteInput(
            facts=(
                FactWire(id=1, fact="The Lume lamp weighs 310 grams."),
                FactWire(id=2, fact="The Lume lamp comes in green and grey."),
            ),
            settings=Settings(language="en"),
        ),
        WriteOutput(
            used=(1, 2),
            history=(),
            question="What does the Lume lamp weigh, and in which colours does it come?",
            answer="It weighs 310 grams and comes in green and grey.",
            answer_facts=answer_facts(
                "The Lume lamp weighs 310 grams.",
                "The Lume lamp comes in green and grey.",
            ),
        ),
    ),
)


class DoubleOf(QuestionOf):
    """Two questions in one."""

    prompt: ClassVar[Prompt[Any, Any] | None] = DOUBLE
    least: ClassVar[int] = 2


REASONING = question_prompt(
    "reasoning",
    """\
The answer is not said anywhere; it follows from the facts in one or two sure steps: a calculation, a cause, an order in time, what a rule means for a case. The answer gives the result and, in a clause, why.""",
    (
        WriteInput(
            facts=(
                FactWire(id=1, fact="Each Solo rack holds 24 trays."),
                FactWire(id=2, fact="A tray of the Solo rack holds 50 seedlings."),
            ),
            settings=Settings(language="en"),
        ),
        WriteOutput(
            used=(1, 2),
            history=(),
            question="How many seedlings fit into one Solo rack?",
            answer="1,200 seedlings: 24 trays of 50 each.",
            answer_facts=answer_facts(
                "A Solo rack holds 24 trays.",
                "A tray holds 50 seedlings.",
                "A Solo rack holds 1,200 seedlings.",
            ),
        ),
    ),
)


class ReasoningOf(QuestionOf):
    """A question whose answer follows from facts."""

    prompt: ClassVar[Prompt[Any, Any] | None] = REASONING


SINGLE_HOP = question_prompt(
    "single_hop",
    """\
Ask for one point. settings.kind says what is asked for: factoid, list (the answer names all members), numeric, temporal, definition, or procedure (the answer gives all steps, in order). One fact answers it; of a list or procedure, all that belong to it.""",
    (
        WriteInput(
            settings=Settings(language="en", kind="list"),
            persona="A new deckhand before the first shift.",
            asks="what is checked on the Orla ferry before it leaves",
            facts=(
                FactWire(id=1, fact="Before each trip of the Orla ferry the ramp is checked."),
                FactWire(
                    id=2, fact="Before each trip of the Orla ferry the batteries are checked."
                ),
                FactWire(
                    id=3,
                    fact="The checks on the Orla ferry take ten minutes.",
                    importance="okay",
                ),
            ),
        ),
        WriteOutput(
            used=(1, 2),
            history=(),
            question="What do I have to check on the Orla ferry before each trip?",
            answer="The ramp and the batteries.",
            answer_facts=answer_facts(
                "The ramp is checked before each trip.",
                "The batteries are checked before each trip.",
            ),
        ),
    ),
)


class SingleHopOf(QuestionOf):
    """A question that one fact answers."""

    prompt: ClassVar[Prompt[Any, Any] | None] = SINGLE_HOP


SITUATIONAL = question_prompt(
    "situational",
    """\
Begin with the situation of the person who asks, in one short sentence with only what matters, then ask what to do or what holds for them. The facts settle it.""",
    (
        WriteInput(
            facts=(
                FactWire(
                    id=1,
                    fact="Seed potatoes must not be planted before the soil has reached 8 degrees.",
                ),
            ),
            settings=Settings(language="en"),
        ),
        WriteOutput(
            used=(1,),
            history=(),
            question="My soil is at 6 degrees and the seed potatoes have come: may I plant them now?",
            answer="Not yet: the soil must first reach 8 degrees.",
            answer_facts=answer_facts(
                "Seed potatoes must not be planted before the soil has reached 8 degrees."
            ),
        ),
    ),
)


class SituationalOf(QuestionOf):
    """A question from a person's situation."""

    prompt: ClassVar[Prompt[Any, Any] | None] = SITUATIONAL


TABLE = question_prompt(
    "table",
    """\
The facts come from the rows of a table. Ask for a cell, for the row with the most or the least, or for the difference of two cells. Name row and column in words that a person uses; do not say that there is a table.""",
    (
        WriteInput(
            facts=(
                FactWire(
                    id=1, fact="In the list of lamps, the Lume lamp has a range of 12 metres."
                ),
                FactWire(
                    id=2, fact="In the list of lamps, the Nord lantern has a range of 30 metres."
                ),
            ),
            settings=Settings(language="en"),
        ),
        WriteOutput(
            used=(1, 2),
            history=(),
            question="How much farther does the Nord lantern shine than the Lume lamp?",
            answer="18 metres: 30 against 12.",
            answer_facts=answer_facts(
                "The Nord lantern has a range of 30 metres.",
                "The Lume lamp has a range of 12 metres.",
            ),
        ),
    ),
)


class TableOf(QuestionOf):
    """A question about the cells of a table."""

    prompt: ClassVar[Prompt[Any, Any] | None] = TABLE
