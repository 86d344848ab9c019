"""The prompts of proposals: one for a passage, one for several that are linked."""

from llamaindex_rag_eval.judge.wire import Numbered, Wire, numbered_texts
from llamaindex_rag_eval.models.prompt import Example, Prompt
from testset.requests.frame import FRAME

__all__ = [
    "JOINT_PROPOSALS",
    "PROPOSALS",
    "FactWire",
    "OfferWire",
    "ProposalInput",
    "ProposalOutput",
    "ProposalSettings",
]


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
Plan questions for a test of systems that answer from documents. Who would come to `passages` with a need of their own, and what must they find out to do or decide something? Do not word the questions yet.
1. `reason`, in English and at most 12 words: what is worth asking here, or why nothing is: navigation, legal notices, examples of notation, what only points to other places.
2. `facts`: each fact that the questions need, once. `quote` is the stretch that states it, copied character by character, as short as is whole: a sentence; a row of a table; a list item, from the line that leads into the list where it says little alone; code with the comment or line that explains it; never a line in brackets above a passage. `fact` is the same as one statement that is understood without the passage, in its language: names in place of pronouns, dates, units and conditions kept; "" where `quote` is that already.
3. `questions`: up to 4, those that are needed most often first; none if nothing is worth asking. Each is so narrow that what is given settles it in one or two sentences and no other place would answer it otherwise: of a broad matter the one point that somebody needs, of the thing that is named. Never a sentence turned round into a quiz. Of each:
- `persona`: who asks and why, in a few words; one of settings.personas if any are given.
- `asks`: what is asked, in one clause, in the language of the passages, understood without them.
- `type`: one of settings.types, and only if the passages truly carry it; of two that fit, the one that stands first there. `kind`: one that is listed with its type, else "".
- `vital`: the ids of all facts without which the answer is not complete or misleads: every step, duty or member of a list, and the conditions, limits and exceptions that the sentences around set. `okay`: the ids of what is merely good to know.
{task}"""
"""What both prompts say; `{task}` is the types."""

PROPOSALS = Prompt[ProposalInput, ProposalOutput](
    name="proposals",
    instruction=COMMON.format(
        task="""\
The types:
- single_hop: one point. kind: factoid, list, numeric, temporal, definition or procedure.
- table: a cell, the row with the most or least, or a difference of two cells.
- reasoning: a result that follows in one or two sure steps and is not said.
- conditional: what holds under a condition or exception that is stated.
- situational: what somebody in a given situation should do or may do.
- double: two things that one person wants to know together; each has a vital fact of its own.
- conversational: a follow-up; `okay` holds a fact that was asked about just before, `vital` those of the follow-up. Not without both.
- distracting: one point, asked beside a remark on something else.
- unanswerable: one detail (a figure, date, name, place or limit) that one expects to read here, of which the passage tells no part, nor where to find it; `vital` lists the facts that come near.
- false_premise: asked by somebody who takes for true what is denied here; `vital` lists what corrects it."""
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
        Example(
            input=ProposalInput(
                settings=ProposalSettings(types=("single_hop",)),
                passages=numbered_texts(["Back to top. Next: installation. All rights reserved."]),
            ),
            output=ProposalOutput(reason="Only navigation.", facts=(), questions=()),
        ),
    ),
)

JOINT_PROPOSALS = Prompt[ProposalInput, ProposalOutput](
    name="joint_proposals",
    instruction=COMMON.format(
        task="""\
Here at most two questions, and none rather than one that nobody needs. Each is one question that takes two of the passages or more: `vital` holds at least one fact of each of these, and whoever reads one of them alone lacks a part of the answer. So `asks` never tells what one passage says, as if it were known, to ask for what another says. Never two questions joined by "and" that could each be asked alone, nor things side by side that nobody needs together. The types:
- multi_hop: the answer takes both. kind: bridge (one leads to the thing that the other tells about; `asks` describes that thing by the first and does not name it), comparison (how two things differ that somebody has to choose between or takes for the same; the answer tells of both), sequence (one tells what is required or comes first, the other what follows) or combination (one case falls under both: a rule and its exception, a duty and how it is done, a list and what another passage adds to it).
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
