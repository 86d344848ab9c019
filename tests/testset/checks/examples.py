"""Documents, drafts and scripted models that the tests of checks share."""

from typing import Any, Literal

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import ScriptedOracle
from llamaindex_rag_eval.models.request import Reply
from testset import GoldSpan, SourceDocument
from testset.checks.draft import Draft
from testset.checks.examined import Examiner
from testset.corpus.index import CorpusIndex
from testset.golden.item import Axes
from testset.requests.examine import ExamineOf, Fault, FaultKind, Finding, Opinion

PUMP = SourceDocument(
    "pump.txt", "Ada Byron designed the Harwell pump in 1843. It weighs 90 kilograms."
)
VENT = SourceDocument("vent.txt", "Imogen Fenn designed the Ely vent in 1901.")
PUMP_SENTENCE = (0, 44)
PUMP_QUESTION = "In which year did Ada Byron design the Harwell pump?"

FERRY = SourceDocument("ferry.md", "# Orla ferry\n\nIt was built at Brevik. It carries 120 people.")
YARD = SourceDocument("yard.md", "# Brevik\n\nThe Brevik yard was closed in 2004 by its owner.")
OTHER = SourceDocument("other.md", "# News\n\nThe Orla ferry carries 120 people on each trip.")
FERRY_QUESTION = "How many people does the Orla ferry carry?"

POOL = SourceDocument(
    "pool.md",
    "# Pool rules\n\n## Can I bring a float?\n\nYes, if it is blown up at the poolside.\n\n"
    "## When is it open?\n\nFrom nine to five.\n\n## Who is on duty?\n\nTwo lifeguards.\n",
)
FLOAT_QUESTION = "Can I bring a float?"
"""A question whose words stand in its heading alone."""


def index_of(*documents: SourceDocument) -> CorpusIndex:
    return CorpusIndex.of(documents)


def draft_of(
    question: str, reference: str, *, language: str = "en", style: str = "plain", **fields
) -> Draft:
    axes = Axes(language=language, style=style)
    return Draft(question, reference, axes=axes, **{"kind": "", "type": "single_hop", **fields})


def pump_draft(question: str, reference: str = "1843", **fields) -> Draft:
    quote = GoldSpan.cut(PUMP.doc_id, PUMP.hash, PUMP.text, *PUMP_SENTENCE)
    return draft_of(question, reference, **{"kind": "temporal", "gold": ((quote,),), **fields})


def cut(document: SourceDocument, quote: str) -> GoldSpan:
    start = document.text.index(quote)
    return GoldSpan.cut(document.doc_id, document.hash, document.text, start, start + len(quote))


INDEX = index_of(FERRY, YARD, OTHER)
CARRIES = cut(FERRY, "It carries 120 people.")
BUILT = cut(FERRY, "It was built at Brevik.")
CLOSED = cut(YARD, "The Brevik yard was closed in 2004 by its owner.")


def ferry_draft(question: str = FERRY_QUESTION, reference: str = "120 people.", **fields) -> Draft:
    return draft_of(question, reference, **{"gold": ((CARRIES,),), "verbatim": False, **fields})


def writer(*replies: Reply) -> Judge:
    """Return a writer whose model gives these replies."""
    return Judge(ScriptedOracle(*replies))


def opinion(*faults: tuple[FaultKind, str], **fields: Any) -> Opinion:
    """Return an opinion that finds these faults, mends nothing, and is else what fields say."""
    found = tuple(Fault(kind=kind, what=what) for kind, what in faults)
    stays = {
        "bearing": (),
        "own": "",
        "findings": (),
        "question": "",
        "answer": "",
        "facts": (),
        "reason": "",
    }
    return Opinion(**{**stays, "faults": found, "fit": True, **fields})


def examiner_of(
    verdict: Literal["same", "other"] | None = None, quote: str = "", *, index: CorpusIndex = INDEX
) -> tuple[Examiner, Judge]:
    """Return an examiner, and the writer it asks, who finds items fit.

    Args:
        verdict: What each passage with the quote does; by default none does anything.
        quote: The quote.
        index: The documents.
    """

    def reply(request: ExamineOf) -> Opinion:
        places = [n for n, text in enumerate(request.passages) if verdict and quote in text]
        found = (Finding(passage=n, quote=quote, kind=verdict) for n in places if verdict)
        return opinion(own="read", findings=tuple(found))

    asked = Judge(ScriptedOracle(*[reply] * 9))
    return Examiner(index, asked), asked


def requests_to(writer: Judge) -> list[type]:
    """Return the types of the requests that a scripted writer was asked."""
    assert isinstance(writer.oracle.inner, ScriptedOracle)
    return [type(request) for request in writer.oracle.inner.asked]
