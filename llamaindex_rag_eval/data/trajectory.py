"""Trajectories: what an agent did for an answer, as a conversation, and what it retrieved."""

from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, Sample, SingleTurnSample
from llamaindex_rag_eval.errors import InputError

TRAJECTORY = "trajectory"
"""The key of the metadata that has an answer's calls of tools, their outputs and the answer."""

PLAN = "plan"
"""The key of the metadata that has the steps an agent was to take, as a text or a list."""

REFERENCES = ("reference_tool_calls", "reference_topics")
"""What a question may have in its metadata for the conversation that its answer becomes."""


def conversation_of(sample: Sample) -> Sample:
    """Return an agent's answer to one question as a conversation; any other sample as it is.

    Raises:
        InputError: The trajectory in the metadata is none.

    Example:
        >>> steps = [{"role": "assistant", "tool_calls": [{"name": "look"}]}, {"role": "tool"}]
        >>> sample = SingleTurnSample(query="Who?", metadata={"trajectory": steps})
        >>> [message.role for message in conversation_of(sample).messages]
        ['user', 'assistant', 'tool']
    """
    steps = sample.metadata.get(TRAJECTORY)
    if not isinstance(sample, SingleTurnSample) or not steps:
        return sample
    row = {name: sample.metadata[name] for name in REFERENCES if name in sample.metadata}
    if sample.has("reference"):
        row["reference"] = sample.reference
    if PLAN in sample.metadata:
        row["metadata"] = {PLAN: sample.metadata[PLAN]}
    try:
        done = [Message.model_validate(step) for step in steps]
        messages = (*sample.earlier_messages, Message(role="user", content=sample.query), *done)
        return MultiTurnSample.model_validate({"id": sample.id, "messages": messages, **row})
    except (TypeError, ValidationError) as error:
        raise InputError(
            f"the trajectory of sample {sample.id!r} cannot be read: {error}"
        ) from None


def retrieval_steps(sample: MultiTurnSample) -> tuple[SingleTurnSample, ...]:
    """Return each output of a tool that retrieved contexts, with what the tool was asked.

    That is the text among the arguments of its call, else the user's last message.

    Example:
        >>> call = {"role": "assistant", "tool_calls": [{"name": "find", "args": {"q": "pump"}}]}
        >>> output = {"role": "tool", "content": "5 l", "contexts": ["It holds 5 l."]}
        >>> talk = MultiTurnSample.model_validate({"messages": [call, output]})
        >>> [(step.query, step.contexts) for step in retrieval_steps(talk)]
        [('pump', ('It holds 5 l.',))]
    """
    user, waiting, steps = "", list[str](), []
    for number, message in enumerate(sample.messages):
        if message.role == "user":
            user = message.content
        elif message.role == "assistant":
            waiting = [_text(call.args) for call in message.tool_calls]
        elif message.role == "tool":
            question = waiting.pop(0) if waiting else ""
            if message.contexts:
                row = {"id": f"{sample.id}#{number}", "query": question or user}
                row |= {"reference": sample.reference} if sample.has("reference") else {}
                steps.append(SingleTurnSample.model_validate({**row, "contexts": message.contexts}))
    return tuple(steps)


def _text(arguments: Mapping[str, object]) -> str:
    texts: Sequence[str] = [value for value in arguments.values() if isinstance(value, str)]
    return next((text for text in texts if text.strip()), "")
