"""ragas 0.2 to 0.4: attributes of samples and metrics, calls of tools, values of single samples."""

import asyncio

from ragas.dataset_schema import EvaluationDataset, MultiTurnSample
from ragas.messages import AIMessage, HumanMessage, ToolCall
from ragas.metrics import AspectCritic, NonLLMStringSimilarity, ToolCallAccuracy
from ragas.metrics.collections import BleuScore, ExactMatch

dataset = EvaluationDataset.from_list(
    [{"user_input": "How long?", "response": "90 m", "retrieved_contexts": ["90 m."]}]
)
for sample in dataset:
    assert (sample.user_input, sample.retrieved_contexts[0]) == ("How long?", "90 m.")
assert dataset.to_pandas()["user_input"][0] == "How long?"
critic = AspectCritic(name="kind", definition="Is it kind?")
critic.definition = "Is it kind to a child?"
assert critic.definition.endswith("a child?")


async def values():
    blank = await BleuScore().ascore(reference="", response="90 m")
    other = await ExactMatch().ascore(reference="90 m", response="90 M")
    return blank.value, other.value


assert asyncio.run(values()) == (0.0, 0.0)
sample = MultiTurnSample(
    user_input=[
        HumanMessage(content="What is the weather in Bergen?"),
        AIMessage(content="", tool_calls=[ToolCall(name="weather", args={"at": "Bergen"})]),
    ],
    reference_tool_calls=[ToolCall(name="weather", args={"at": "Berge"})],
)
accuracy = ToolCallAccuracy()
assert asyncio.run(accuracy.multi_turn_ascore(sample)) == 0
accuracy.arg_comparison_metric = NonLLMStringSimilarity()
assert round(asyncio.run(accuracy.multi_turn_ascore(sample)), 2) == 0.83
