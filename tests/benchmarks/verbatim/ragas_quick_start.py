"""ragas 0.2: samples, classes of metrics, a frame."""

from ragas import EvaluationDataset, SingleTurnSample, evaluate
from ragas.llms import llm_factory
from ragas.metrics import FactualCorrectness, Faithfulness, LLMContextRecall

llm = llm_factory("gpt-4o-mini")
sample = SingleTurnSample(
    user_input="Where does the ferry go?",
    retrieved_contexts=["The ferry goes to Bergen."],
    response="It goes to Bergen.",
    reference="To Bergen.",
)
result = evaluate(
    dataset=EvaluationDataset(samples=[sample]),
    metrics=[LLMContextRecall(), Faithfulness(), FactualCorrectness()],
    llm=llm,
)
frame = result.to_pandas()
assert {"user_input", "context_recall", "faithfulness"} <= {*frame.columns}
