"""DeepEval: a model plays the user of an application, and the conversation is scored."""

from deepeval import evaluate
from deepeval.conversation_simulator import ConversationSimulator
from deepeval.dataset import ConversationalGolden
from deepeval.metrics import RoleAdherenceMetric, TurnRelevancyMetric
from deepeval.models import GPTModel
from deepeval.test_case import Turn


async def answer(input: str, turns: list[Turn], thread_id: str) -> Turn:  # noqa: A002 - DeepEval's name
    return Turn(role="assistant", content=f"After {len(turns)} messages: to Bergen.")


golden = ConversationalGolden(
    scenario="Somebody wants to take the ferry.",
    expected_outcome="They know where it goes.",
    user_description="A visitor in a hurry.",
)
begun = ConversationalGolden(
    scenario="Somebody wants to take the ferry.", turns=[Turn(role="user", content="Where to?")]
)
simulator = ConversationSimulator(model_callback=answer, simulator_model="gpt-4o-mini")
talks = simulator.simulate(conversational_goldens=[golden, begun], max_user_simulations=2)
assert talks[1].turns[1].content == "After 0 messages: to Bergen."
assert all(len(talk.turns) <= 4 for talk in talks)
talks[1].chatbot_role = "A clerk of the ferry."
model = GPTModel(model="gpt-4o-mini", temperature=0)
metrics = [TurnRelevancyMetric(model=model), RoleAdherenceMetric(model=model)]
row = evaluate(test_cases=talks[1:], metrics=metrics).test_results[0]
assert [data.error for data in row.metrics_data] == [None, None]
