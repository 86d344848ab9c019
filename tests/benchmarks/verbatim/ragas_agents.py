"""ragas 0.2: conversations with calls of tools."""

import asyncio

from ragas.dataset_schema import MultiTurnSample
from ragas.messages import AIMessage, HumanMessage, ToolCall, ToolMessage
from ragas.metrics import ToolCallAccuracy, ToolCallF1

sample = MultiTurnSample(
    user_input=[
        HumanMessage(content="What is the weather in Bergen?"),
        AIMessage(content="I look.", tool_calls=[ToolCall(name="weather", args={"at": "Bergen"})]),
        ToolMessage(content="Rain."),
        AIMessage(content="It rains."),
    ],
    reference_tool_calls=[ToolCall(name="weather", args={"at": "Bergen"})],
)
assert asyncio.run(ToolCallAccuracy().multi_turn_ascore(sample)) == 1
assert ToolCallF1().multi_turn_score(sample) == 1
