"""The prompts of proposals: one for a passage, one for several that are linked."""

from llamaindex_rag_eval.judge.wire import Numbered, Wire, numbered_texts
from llamaindex_rag_eval.models.prompt import Example, Prompt
from testset.requests.frame import FRAME


class ProposalSettings(Wire):
    """What is asked for."""

    types: tuple[str, ...]
    personas: tuple[str, ...] = ()


class ProposalInput(Wire):
    """What is asked for, and the passages under their title and headings."""

    settings: ProposalSettings
    passages: tuple[Numbered, ...]


class FactWire(Wire):
    """A fact, after the words that state it; empty where these need no other words."""

    id: int
    passage: int
    quote: str
    fact: str


class OfferWire(Wire):
    """One question, before it is worded."""

    persona: str
    asks: str
    type: str
    kind: str
    vital: tuple[int, ...]
    okay: tuple[int, ...]


class ProposalOutput(Wire):
    """Whether anything is worth asking, the facts, and the questions they answer."""

    reason: str
    facts: tuple[FactWire, ...]
    questions: tuple[OfferWire, ...]


COMMON = """\
Plan questions for a test of systems that answer from documents: who comes to `passages` with a need of their own, and what must they find out to do or decide something? Do not word the questions yet.
1. `reason`, in English, at most 12 words: what is worth asking here, or why nothing is: navigation, legal notices, mere examples, pointers to other places.
2. `facts`: each fact that the questions need, once. `quote`: the stretch that states it, copied character by character, as short as is whole: a sentence; a row; a list item, with the line that leads into the list where it says little alone; code with the comment or line that explains it; no line in brackets. `fact`: the same in one statement that needs no passage, in its language, with names for pronouns, and dates, units and conditions kept; "" where `quote` is that already.
3. `questions`: up to 4, the most needed first; none if nothing is worth asking. Each is so narrow that what is given settles it in a sentence or two, and no other place answers it otherwise: of a broad matter the one point that somebody needs. Never a sentence turned into a quiz.
- `persona`: who asks and why, in a few words; one of settings.personas if there are any.
- `asks`: what is asked, in one clause, in the passages' language, understood without them.
- `type`: one of settings.types that the passages truly carry, the first there of two that fit. `kind`: one listed with its type, else "".
- `vital`: the ids of all facts without which the answer is incomplete or misleads: every step, duty or member, and the conditions, limits and exceptions around. `okay`: the ids of what is merely good to know.
{task}"""
"""What both prompts say; `{task}` is the types."""

PROPOSALS = Prompt[ProposalInput, ProposalOutput](
    name="proposals",
    instruction=COMMON.format(
        task="""\
The types:
- single_hop: one point. kind: factoid, list, numeric, temporal, definition or procedure.
- table: a cell, the row with the most or least, or a difference of two cells.
- reasoning: what follows in one or two sure steps and is not said.
- conditional: what holds under a condition or exception that is stated.
- situational: what somebody in a given situation should or may do.
- double: two things that one person wants to know together; each has a vital fact of its own.
- conversational: a follow-up; `okay` holds a fact that was asked about just before, `vital` those of the follow-up. Not without both.
- distracting: one point, beside a remark on something else.
- unanswerable: one detail (a figure, date, name, place or limit) that one expects here; the passage tells no part of it, nor where to find it. `vital`: the facts that come near.
- false_premise: asked by somebody who takes for true what is denied here; `vital`: what corrects it."""
    ),
    input=ProposalInput,
    output=ProposalOutput,
    frame=FRAME,
    examples=(
        Example(
            input=ProposalInput(
                settings=ProposalSettings(types=("single_hop", "conditional", "unanswerable")),
                passages=numbered_texts(
                    [
                        "[Orla ferry]\nIt was built at the Brevik yard in 1998. Since 2019 it runs on batteries, except in storms. See also: timetable."
                    ]
                ),
            ),
            output=ProposalOutput(
                reason="A passenger plans by what drives it, also in bad weather.",
                facts=(
                    FactWire(
                        id=1,
                        passage=1,
                        quote="Since 2019 it runs on batteries, except in storms.",
                        fact="Since 2019 the Orla ferry runs on batteries, except in storms.",
                    ),
                ),
                questions=(
                    OfferWire(
                        persona="A passenger who wants to travel without exhaust.",
                        asks="whether the Orla ferry runs on batteries in a storm",
                        type="conditional",
                        kind="",
                        vital=(1,),
                        okay=(),
                    ),
                    OfferWire(
                        persona="A journalist who writes about electric ships.",
                        asks="how long the Orla ferry takes to charge its batteries",
                        type="unanswerable",
                        kind="",
                        vital=(1,),
                        okay=(),
                    ),
                ),
            ),
        ),
    ),
)

JOINT_PROPOSALS = Prompt[ProposalInput, ProposalOutput](
    name="joint_proposals",
    instruction=COMMON.format(
        task="""\
Here at most two questions, and none rather than one that nobody needs. Each takes two of the passages or more, with a vital fact of each: cover one passage with your hand, and the answer can be neither read nor guessed from the other. So a choice of two that one passage decides does not do, nor an `asks` that tells what one passage says to ask for what the other says, nor two questions joined by "and", nor things side by side that nobody needs together. The types:
- multi_hop: the answer takes both. kind: bridge (one leads to the thing that the other tells about; `asks` describes it by the first and does not name it), comparison (how two things differ that somebody chooses between or mixes up; the answer tells of both), sequence (one tells what comes first or is required, the other what follows) or combination (one case falls under both: a rule and its exception, a duty and how it is done, a list and what another passage adds).
- summary: an overview that takes both.
- underspecified: it fits both, with different answers.
- conflict: they contradict each other on one point."""
    ),
    input=ProposalInput,
    output=ProposalOutput,
    frame=FRAME,
    examples=(
        Example(
            input=ProposalInput(
                settings=ProposalSettings(types=("multi_hop", "summary")),
                passages=numbered_texts(
                    [
                        "[Orla ferry / Bookings]\nGroups of more than 20 must book with the harbour office.",
                        "[Harbour / Offices]\nThe harbour office is open on weekdays. It closes in July.",
                    ]
                ),
            ),
            output=ProposalOutput(
                reason="A group must know where to book, and when that is possible.",
                facts=(
                    FactWire(
                        id=1,
                        passage=1,
                        quote="Groups of more than 20 must book with the harbour office.",
                        fact="Groups of more than 20 must book the Orla ferry with the harbour office.",
                    ),
                    FactWire(
                        id=2,
                        passage=2,
                        quote="The harbour office is open on weekdays.",
                        fact="",
                    ),
                    FactWire(
                        id=3,
                        passage=2,
                        quote="It closes in July.",
                        fact="The harbour office closes in July.",
                    ),
                ),
                questions=(
                    OfferWire(
                        persona="A teacher who plans a trip with 25 pupils.",
                        asks="on which days 25 pupils can be booked on the Orla ferry",
                        type="multi_hop",
                        kind="bridge",
                        vital=(1, 2),
                        okay=(3,),
                    ),
                ),
            ),
        ),
    ),
)
