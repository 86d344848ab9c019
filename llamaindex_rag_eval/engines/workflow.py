"""Ask a Workflow or an agent; what its steps call and retrieve becomes part of the answer."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from llama_index.core.agent.workflow import AgentOutput, AgentWorkflow, ToolCallResult
from llama_index.core.agent.workflow.base_agent import BaseWorkflowAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.schema import NodeWithScore
from llama_index.core.workflow import Event, StartEvent, StopEvent, Workflow

from llamaindex_rag_eval.data.llamaindex import Reply, context_fields
from llamaindex_rag_eval.data.rows import as_json
from llamaindex_rag_eval.data.sample import Message, SingleTurnSample, ToolCall
from llamaindex_rag_eval.engines.query import EngineAdapter, answer_fields, are_nodes, complete
from llamaindex_rag_eval.errors import EngineError

QUESTION_NAMES = ("query", "question", "input", "message", "user_msg")
"""What LlamaIndex's examples call the question in a start event; an untyped one gets them all."""


class WorkflowAdapter(EngineAdapter):
    """Asks a Workflow or an agent of LlamaIndex, each question in a run of its own.

    An agent gets the question as `user_msg` and the conversation before it as `chat_history`.
    Another workflow gets conversation and question as one text: in the first field of its start
    event that has the name of a question (`QUESTION_NAMES`), else in its only field without a
    default.

    Args:
        workflow: Asked for every question, several at a time: it must keep what belongs to one
            question in the context of the run, as LlamaIndex's own do.
    """

    def __init__(self, workflow: Workflow) -> None:
        self._workflow = workflow
        self._is_agent = isinstance(workflow, AgentWorkflow | BaseWorkflowAgent)

    async def answer(self, question: SingleTurnSample) -> Mapping[str, object]:
        """Return the answer, the nodes retrieved on the way, and the messages of the run."""
        if self._is_agent:
            fields, messages = await self._run(question.query, question.earlier_messages)
        else:
            fields, messages = await self._run(question.asked, ())
        if len(messages) > 1:  # more than the answer alone
            fields["trajectory"] = [
                message.model_dump(exclude_defaults=True) for message in messages
            ]
        return fields

    async def _run(
        self, text: str, history: Sequence[Message]
    ) -> tuple[dict[str, object], tuple[Message, ...]]:
        """Run once; return the fields of the answer, and the messages that the run adds."""
        handler = self._workflow.run(**self._inputs(text, history))
        try:
            events = [event async for event in handler.stream_events()]
            result = await handler
        finally:
            if not handler.is_done():
                with suppress(Exception):  # the run is given up: how it ends does not matter
                    await handler.cancel_run()
        fields = dict(answer_fields(await complete(_plain(result))))
        if not fields.get("contexts"):
            fields.update(_contexts(events))
        answer = Message(
            role="assistant",
            content=str(fields.get("response", "")),
            contexts=tuple(fields.get("contexts", ())),  # type: ignore[arg-type]  # as they are read
        )
        return fields, (*_tool_messages(events), answer)

    def _inputs(self, text: str, history: Sequence[Message]) -> dict[str, Any]:
        if self._is_agent:
            # Calls and outputs of tools stay out: APIs refuse them without the ids of their calls.
            known = [m for m in history if m.content and m.role != "tool"]
            chat = [ChatMessage(role=m.role, content=m.content) for m in known]
            return {"user_msg": text, "chat_history": chat} if chat else {"user_msg": text}
        kind = self._workflow.start_event_class
        if kind is StartEvent:
            return dict.fromkeys(QUESTION_NAMES, text)
        fields = kind.model_fields
        needed = [name for name, field in fields.items() if field.is_required()]
        named = [name for name in QUESTION_NAMES if name in fields]
        names = named or (needed if len(needed) == 1 else [])
        if not names:
            raise EngineError(
                f"the start event {kind.__name__!r} has no field {', '.join(QUESTION_NAMES)}; "
                "name a function that takes a question and runs the workflow"
            )
        return {names[0]: text}


def _plain(result: object) -> object:
    """Return the result of a run as an engine returns it: a text, a response, nodes or a dict."""
    if isinstance(result, AgentOutput):
        return result.response.content or ""
    if isinstance(result, ChatMessage):
        return result.content or ""
    if isinstance(result, StopEvent):  # one of the user's own, with fields
        fields = {name: getattr(result, name) for name in type(result).model_fields}
        return {**fields, **dict(result.items())}
    return result


def _contexts(events: Sequence[Event]) -> Mapping[str, object]:
    """Return what the steps of a run retrieved, each node once, in the order it was found.

    Where no step gave nodes, the outputs of tools are what an answer can rest on.
    """
    nodes: dict[str, NodeWithScore] = {}
    for event in events:
        for node in _nodes(event):
            nodes.setdefault(node.node.node_id, node)
    if nodes:
        return context_fields(tuple(nodes.values()))
    outputs = [str(event.tool_output.content) for event in _results(events)]
    texts = tuple(dict.fromkeys(text for text in outputs if text.strip()))
    return {"contexts": texts} if texts else {}


def _nodes(event: Event) -> Sequence[NodeWithScore]:
    """Return the nodes that an event carries: those of a tool's output, or of one of its fields."""
    if isinstance(event, ToolCallResult):
        values: list[object] = [event.tool_output.raw_output]
    else:
        own = (name for name in type(event).model_fields if not name.startswith("_"))
        values = [*dict(event.items()).values(), *(getattr(event, name) for name in own)]
    nodes: list[NodeWithScore] = []
    for value in values:
        given = value.source_nodes if isinstance(value, Reply) else value
        nodes += given if are_nodes(given) else ()
    return nodes


def _results(events: Sequence[Event]) -> Sequence[ToolCallResult]:
    return [event for event in events if isinstance(event, ToolCallResult)]


def _tool_messages(events: Sequence[Event]) -> Sequence[Message]:
    """Return the calls of tools and their outputs as messages, in the order they were made.

    Calls that a model makes at once are one message; their outputs follow in the order of the
    calls, whichever came first. Some models call by the same id again and again.
    """
    results: dict[str, list[ToolCallResult]] = {}
    for result in _results(events):
        results.setdefault(result.tool_id, []).append(result)
    messages: list[Message] = []
    for event in events:
        if not isinstance(event, AgentOutput):
            continue
        done = [results[c.tool_id].pop(0) for c in event.tool_calls if results.get(c.tool_id)]
        if done:
            messages.append(_call_message(event.response.content or "", done))
            messages += map(_output_message, done)
    for left in (result for of_id in results.values() for result in of_id):  # not told by the agent
        messages += [_call_message("", [left]), _output_message(left)]
    return messages


def _call_message(content: str, results: Sequence[ToolCallResult]) -> Message:
    calls = [ToolCall(name=result.tool_name, args=_arguments(result)) for result in results]
    return Message(role="assistant", content=content, tool_calls=tuple(calls))


def _arguments(result: ToolCallResult) -> Mapping[str, Any]:
    plain = as_json(result.tool_kwargs)
    return plain if isinstance(plain, dict) else {"arguments": plain}


def _output_message(result: ToolCallResult) -> Message:
    contexts = context_fields(_nodes(result)).get("contexts", ())
    return Message.model_validate(
        {"role": "tool", "content": str(result.tool_output.content), "contexts": contexts}
    )
