"""Evaluate an agent: which tools did it call, did it take the short way, what did it retrieve?"""

from pathlib import Path
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.tools import FunctionTool, QueryEngineTool
from llama_index.retrievers.bm25 import BM25Retriever  # type: ignore[import-untyped]  # has none

from llamaindex_rag_eval import EvaluationDataset, evaluate
from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM
from testset import Corpus, exact_nodes

corpus = Corpus.read(Path(__file__).parent / "docs" / "guides")
nodes = exact_nodes(corpus.llama_documents(), chunk_size=800)
retriever = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=2)
manual = RetrieverQueryEngine.from_args(retriever, llm=ExtractiveLLM())


def times_a_year(months: float) -> float:
    """Return how often a year something happens that happens every so many months."""
    return 12 / months


# In place of a model, this script decides: look it up twice, compute, answer.
LOOK_UP = ("manual", {"input": "How often is the fan filter of the VT-480 replaced?"})
SCRIPT = [LOOK_UP, LOOK_UP, ("times_a_year", {"months": 6})]


def decide(messages: Any, **_: object) -> ChatMessage:
    done = sum(message.role == "tool" for message in messages)
    if done == len(SCRIPT):
        return ChatMessage("It is replaced twice a year.", role="assistant")
    call = ToolCallBlock(tool_name=SCRIPT[done][0], tool_kwargs=SCRIPT[done][1])
    return ChatMessage(role="assistant", blocks=[call])


agent = FunctionAgent(
    llm=MockFunctionCallingLLM(response_generator=decide),  # use your own LLM here
    tools=[
        QueryEngineTool.from_defaults(manual, name="manual"),
        FunctionTool.from_defaults(times_a_year),
    ],
)
question = {
    "question": "How many times a year is the fan filter of the VT-480 replaced?",
    "reference_tool_calls": [{"name": name, "args": args} for name, args in (LOOK_UP, SCRIPT[2])],
}
answers = run(agent, EvaluationDataset.from_rows([question]))
for step in answers[0].metadata["trajectory"]:
    print(step["role"], step.get("tool_calls", ""), step.get("content", ""))

scored = evaluate(answers, metrics=["tool_call_accuracy", "step_efficiency", "retrieval_per_step"])
for result in scored.results:
    print(f"{result.metric}: {result.score:.2f}")
