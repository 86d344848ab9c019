"""DeepEval: which of several answers is best, as a list of contestants and by their names."""

from deepeval import compare
from deepeval.metrics import ArenaGEval
from deepeval.test_case import ArenaTestCase, Contestant, LLMTestCase, SingleTurnParams

question = "Where does the ferry go?"
cases = {
    "short": LLMTestCase(input=question, actual_output="To Bergen."),
    "long": LLMTestCase(input=question, actual_output="The ferry goes to Bergen every day."),
    "none": LLMTestCase(input=question, actual_output="No idea."),
}
metric = ArenaGEval(
    name="Friendly",
    criteria="Prefer the answer that says more.",
    evaluation_params=[SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT],
    model="gpt-4o-mini",
)
listed = [Contestant(name=name, test_case=case) for name, case in cases.items()]
metric.measure(ArenaTestCase(contestants=listed))
assert metric.winner in {*cases, None}
assert metric.reason.count(" against ") == 3
wins = compare(test_cases=[ArenaTestCase(contestants=cases)], metric=metric)
assert set(wins) <= set(cases)
