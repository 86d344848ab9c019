"""Proposals: what would somebody ask here, and what is the complete answer made of?

Asked once for each passage, or group of linked passages, before anything is written.
"""

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge.wire import NumberedTexts, Wire, from_zero
from llamaindex_rag_eval.models.request import Reply, Request, written
from testset.requests.question import Stripped, WithSettings

MOST_OFFERS = 4
"""Questions that one passage is asked for at most."""


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
    passages: NumberedTexts


class FactWire(Stripped):
    """A fact, after the words that state it; empty where these need no other words."""

    id: int
    passage: int
    quote: str
    fact: str


class OfferWire(Stripped):
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


class ProposalsOf(WithSettings, Request[Proposals]):
    """What would somebody ask of a passage, and what is the complete answer made of?"""

    prompt = written("proposals", ProposalInput, ProposalOutput)

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

    def from_prompt(self, output: ProposalOutput) -> Proposals:
        """Return facts and offers with their numbers from 0."""
        numbers = {entry.id: number for number, entry in enumerate(output.facts)}
        if len(numbers) < len(output.facts):
            raise ReplyError("two facts have the same id")
        from_zero([entry.passage for entry in output.facts], len(self.passages), "passage")
        return Proposals(
            facts=tuple(
                Fact(statement=fact.fact or fact.quote, quote=fact.quote, passage=fact.passage - 1)
                for fact in output.facts
            ),
            offers=tuple(
                Offer(
                    **dict(offer)
                    | {"vital": _placed(offer.vital, numbers), "okay": _placed(offer.okay, numbers)}
                )
                for offer in output.questions[:MOST_OFFERS]
            ),
            reason=output.reason,
        )


class JointProposalsOf(ProposalsOf):
    """What would somebody ask that takes several linked passages?"""

    prompt = written("joint_proposals", ProposalInput, ProposalOutput)


def _placed(ids: tuple[int, ...], numbers: dict[int, int]) -> tuple[int, ...]:
    """Return the places of facts by their ids."""
    if any(number not in numbers for number in ids):
        raise ReplyError("a fact is named that was not given")
    return tuple(dict.fromkeys(numbers[number] for number in ids))
