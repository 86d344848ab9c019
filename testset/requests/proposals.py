"""Proposals: what would somebody ask here, and what is the complete answer made of?

Asked once for each passage, or group of linked passages, before anything is written.
"""

from typing import Any, ClassVar

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.wire import Numbered, Wire, from_zero, numbered_texts
from llamaindex_rag_eval.models.prompt import Example, Prompt
from llamaindex_rag_eval.models.request import Reply, Request
from testset.requests.frame import FRAME

__all__ = ["MOST_OFFERS", "Fact", "Offer", "Proposals", "ProposalsOf"]

MOST_OFFERS = 4
"""Questions that one passage is asked for at most."""
STAND_IN_FACTS = 5
"""Facts of a stand-in reply at most; a model finds about as many in a passage."""
STAND_IN_CHARACTERS = 12
"""Characters of a stand-in fact at least; what is shorter is a heading or a mark."""


class Fact(Reply):
    """One statement, the words that make it, and the number, from 0, of their passage."""

    statement: str
    quote: str
    passage: int = 0


class Offer(Reply):
    """A question that somebody would ask.

    Attributes:
        type: Its type.
        kind: What is asked for; finer than the type.
        persona: Who asks, in a sentence.
        asks: What is asked, in a clause.
        vital: Numbers, from 0, of the facts without which the answer is not complete.
        okay: Those of facts that it may hold besides.
    """

    type: str
    kind: str = ""
    persona: str = ""
    asks: str = ""
    vital: tuple[int, ...]
    okay: tuple[int, ...] = ()


class Proposals(Reply):
    """What somebody would ask, and the facts that answer it; no offer: nothing is worth asking."""

    facts: tuple[Fact, ...] = ()
    offers: tuple[Offer, ...] = ()
    reason: str = ""


class ProposalSettings(Wire):
    """What is asked for."""

    types: tuple[str, ...]
    personas: tuple[str, ...] = ()


class ProposalInput(Wire):
    """What is asked for, and the passages under their title and headings."""

    settings: ProposalSettings
    passages: tuple[Numbered, ...]


class FactWire(Wire):
    """A fact, after the words that state it."""

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


PROPOSALS = Prompt[ProposalInput, ProposalOutput](
    name="proposals",
    instruction="""\
Plan questions for a test of systems that answer from documents. Who would come to `passages` with a question of their own, and what would they need to know? Do not write the questions yet.
- `reason` first, in at most 15 words: what these passages are good for, or why nothing here is worth asking: navigation, legal notices, examples of notation, what only points to other places.
- `facts`: each needed fact once. `quote` is the shortest whole stretch that states it, copied character by character from the passage: a sentence, a list item, the row of a table; never a line in brackets above it. `fact` is one statement in the language of the passage, understood without it: names in place of pronouns, dates, units and conditions kept.
- `questions`: up to 4, the most useful first; none if nothing is worth asking.
- `persona`: who asks and why, in at most 12 words; one of settings.personas if any are given. `asks`: what is asked, in at most 20 words, in the language of the passages, so that it is understood without them.
- `vital`: the ids of all facts without which the answer is not complete: all steps, all duties, all members of a list, from the whole passage. `okay`: the ids of what it may hold besides. Of an unanswerable question, `vital` lists what it comes near; of a false premise, what corrects it.
- `type` is one of settings.types, which has the most wanted first, and only one that the passages truly carry:
  single_hop: one point. kind: factoid, list, numeric, temporal, definition or procedure.
  table: a cell, the row with the most or least, or a difference of two cells.
  reasoning: a result that follows in one or two sure steps and is not said.
  conditional: what holds under a condition or exception that is stated.
  situational: what somebody in a given situation should do or may do.
  double: two things that one person wants to know together.
  conversational: a follow-up on another point of the same thing.
  distracting: one point, asked beside a remark on something else.
  unanswerable: what one expects to read here and the passages do not tell.
  false_premise: asked by somebody who takes for true what is denied here.
- Of several passages, each question takes two of them or more: `vital` holds at least one fact of each of these, and whoever reads one alone cannot answer. Types then:
  multi_hop: one question whose answer takes both. kind: bridge (one leads to the thing that the other tells about), comparison (the same property of two things), sequence (one tells what is required or comes first, the other what follows) or combination (a case that falls under both).
  summary: an overview that takes both. underspecified: it fits both, with different answers. conflict: they contradict each other on one point.""",
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
                        asks="what the Orla ferry does in a storm instead of running on batteries",
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
                        fact="The harbour office is open on weekdays.",
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
        Example(
            input=ProposalInput(
                settings=ProposalSettings(types=("single_hop",)),
                passages=numbered_texts(["Back to top. Next: installation. All rights reserved."]),
            ),
            output=ProposalOutput(reason="Only navigation.", facts=(), questions=()),
        ),
    ),
)


class ProposalsOf(Request[Proposals]):
    """What would somebody ask here, and what is the complete answer made of?"""

    reply: ClassVar[type[Reply]] = Proposals
    prompt: ClassVar[Prompt[Any, Any] | None] = PROPOSALS

    passages: tuple[str, ...]
    types: tuple[str, ...]
    personas: tuple[str, ...] = ()

    def check(self, reply: Proposals) -> None:
        """Check that offers are of the types asked for, and stand on facts that are given."""
        for offer in reply.offers:
            if offer.type not in self.types:
                raise ReplyError(f"type {offer.type!r} is none of {', '.join(self.types)}")
            if not offer.vital:
                raise ReplyError(f"a {offer.type} question names no vital fact")

    def stand_in(self) -> Proposals:
        """Take each sentence for a fact, and offer a question of each type."""
        facts = [
            Fact(statement=line, quote=line, passage=number)
            for number, passage in enumerate(self.passages)
            for line in _lines(passage)[:STAND_IN_FACTS]
        ]
        firsts = [
            next(place for place, fact in enumerate(facts) if fact.passage == number)
            for number in range(len(self.passages))
        ]
        own = firsts[:2] if len(firsts) > 1 else list(range(min(2, len(facts))))
        offers = [
            Offer(
                type=name, persona="Reader of the files.", asks=facts[0].statement, vital=tuple(own)
            )
            for name in self.types[:MOST_OFFERS]
        ]
        return Proposals(facts=tuple(facts), offers=tuple(offers))

    def to_prompt(self) -> ProposalInput:
        """Return the settings and the passages, numbered from 1."""
        settings = ProposalSettings(types=self.types, personas=self.personas)
        return ProposalInput(settings=settings, passages=numbered_texts(self.passages))

    def from_prompt(self, output: ProposalOutput) -> Proposals:
        """Return facts and offers with their numbers from 0."""
        places = {entry.id: place for place, entry in enumerate(output.facts)}
        if len(places) < len(output.facts):
            raise ReplyError("two facts have the same id")
        for entry in output.facts:
            from_zero([entry.passage], len(self.passages), "passage")
        return Proposals(
            facts=tuple(
                Fact(statement=entry.fact.strip(), quote=entry.quote, passage=entry.passage - 1)
                for entry in output.facts
            ),
            offers=tuple(
                Offer(
                    type=entry.type,
                    kind=entry.kind,
                    persona=entry.persona.strip(),
                    asks=entry.asks.strip(),
                    vital=_placed(entry.vital, places),
                    okay=_placed(entry.okay, places),
                )
                for entry in output.questions[:MOST_OFFERS]
            ),
            reason=output.reason,
        )


def _placed(ids: tuple[int, ...], places: dict[int, int]) -> tuple[int, ...]:
    """Return the places of facts by their ids."""
    if any(number not in places for number in ids):
        raise ReplyError("a fact is named that was not given")
    return tuple(dict.fromkeys(places[number] for number in ids))


def _lines(passage: str) -> list[str]:
    """Return the sentences below the headings of a passage; at least one."""
    text = passage.partition("]\n")[2] or passage
    found = [line for line in sentences(text) if len(line) >= STAND_IN_CHARACTERS]
    return found or [text.strip()]
