"""What the tests of the oracles ask, and whom: real LLM objects that call the loopback server."""

from typing import Any

from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval.judge import (
    ClaimsOf,
    CritiqueOf,
    EntitiesOf,
    GradeOf,
    Level,
    PreferenceOf,
    QuestionsOf,
    RelevanceOf,
    RelevantSentencesOf,
    SupportOf,
)
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdictOf
from llamaindex_rag_eval.judge.intentions import IntentionsOf
from llamaindex_rag_eval.judge.standalone import StandaloneOf
from llamaindex_rag_eval.judge.steps import StepsOf
from llamaindex_rag_eval.judge.topics import TopicsOf
from llamaindex_rag_eval.judge.translation import TranslationOf
from llamaindex_rag_eval.judge.wire import Line
from llamaindex_rag_eval.models import Limit, LLMOracle, Request
from llamaindex_rag_eval.models.openai_like import OpenAILike
from tests.server import Fault, FaultKind, Faults, LoopbackServer

KEY = "sk-test-0123456789abcdefghij"

MODELS = {"schema": "gpt-4o-mini", "tool": "gpt-4", "text": "a-local-model"}
"""Way of asking -> a model that is asked that way."""

SUPPORT = SupportOf(
    claims=("Ada is tall.", "Ben is old.", "Cleo is here."),
    sources=("Ada is tall and Ben is old.", "Never: Cleo is here.", "Ada is tall."),
)

RELEVANCE = RelevanceOf(
    question="Where?", contexts=("It is in Oslo.", "It rains.", "Oslo."), answer="Oslo"
)

REQUESTS: dict[str, Request[Any]] = {
    "claims": ClaimsOf(text="Ada is tall. Ben is old.", question="Who?"),
    "support": SUPPORT,
    "relevance": RELEVANCE,
    "questions": QuestionsOf(text="Ada built the old bridge in Oslo.", n=2),
    "entities": EntitiesOf(
        reference="Ada met Ben in Oslo.", contexts=("Ada sang.", "Oslo is cold.")
    ),
    "relevant_sentences": RelevantSentencesOf(question="q", sentences=("one", "two", "three")),
    "critique": CritiqueOf(aspect="brief", definition="Is it brief?", response="Yes."),
    "grade": GradeOf(
        criterion="good",
        definition="How good?",
        levels=(Level(value=1, description="bad"), Level(value=3, description="good")),
        response="Fine.",
    ),
    "answer_verdict": AnswerVerdictOf(query="Who?", response="Ben.", references=("Ada.",)),
    "preference": PreferenceOf(query="Who?", first="Ada.", second="Ben."),
    "topics": TopicsOf(turns=(("Who?", "Ada."), ("Why?", "No.")), topics=("people", "tools")),
    "intentions": IntentionsOf(conversation=(Line(role="user", text="Who?"),)),
    "steps": StepsOf(criteria="It is brief."),
    "standalone": StandaloneOf(history="user: Who is Ada?", question="And where is she?"),
    "translation": TranslationOf(texts=("one", "two"), language="German"),
}


def claims_requests(count: int) -> list[ClaimsOf]:
    """Return so many different requests."""
    return [ClaimsOf(text=f"Ada is {number}.") for number in range(count)]


def serving(*faults: Fault, fault_seed: int = 0, **options: Any) -> LoopbackServer:
    """Return a server that judges by words, with these faults."""
    options.setdefault("responders", "tests.models.responders:RESPONDERS")
    return LoopbackServer(faults=Faults(*faults, seed=fault_seed), **options)


def failing(kind: FaultKind, *, record: bool = False, **options: Any) -> LoopbackServer:
    """Return a server on which every body meets this fault."""
    return serving(Fault(kind=kind, **options), record=record)


def llm_at(server: LoopbackServer, way: str = "schema", **options: Any) -> OpenAI:
    """Return an LLM that is asked in this way."""
    made = OpenAILike if way == "text" else OpenAI
    return made(
        model=MODELS[way],
        **{"api_base": server.url, "api_key": KEY, "temperature": 0.0, **options},
    )


def oracle_at(server: LoopbackServer, way: str = "schema", **options: Any) -> LLMOracle:
    """Return an oracle of this way, untried, whose retries do not make a test wait for long."""
    options.setdefault("limit", Limit(16, timeout=60, retries=3))
    options.setdefault("way", way)
    return LLMOracle(llm_at(server, way), **options)
