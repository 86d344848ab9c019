"""ragas: metrics with the settings of their pages, on samples with no more fields than theirs."""

import asyncio

from ragas import EvaluationDataset, SingleTurnSample, evaluate
from ragas.llms import llm_factory
from ragas.metrics import (
    AspectCritic,
    FactualCorrectness,
    RougeScore,
    RubricsScore,
    SummarizationScore,
)
from ragas.metrics.collections import (
    DomainSpecificRubrics,
    InstanceSpecificRubrics,
    ResponseGroundedness,
    SummaryScore,
)

llm = llm_factory("gpt-4o-mini")
answer = SingleTurnSample(response="To Bergen.", reference="To Bergen.")
summary = SingleTurnSample(
    response="It goes to Bergen.", reference_contexts=["The ferry goes to Bergen at nine."]
)
levels = {f"score{n}_description": f"It has {n} right parts." for n in range(1, 6)}
whole = SingleTurnSample(
    user_input="Where to?",
    response="To Bergen.",
    reference="To Bergen.",
    retrieved_contexts=["The ferry goes to Bergen."],
)
for metric, sample in (
    (FactualCorrectness(llm=llm, mode="precision", atomicity="low", coverage="low"), answer),
    (SummarizationScore(llm=llm, length_penalty=True, coeff=0.3), summary),
    (RougeScore(rouge_type="rouge1", measure_type="recall"), answer),
    (RubricsScore(name="parts", rubrics=levels, llm=llm), whole),
    (AspectCritic(name="polite", definition="Is it polite?", llm=llm, strictness=3), whole),
):
    score = asyncio.run(metric.single_turn_ascore(sample))
    assert 0 <= score <= 1, metric.name
fields = {"user_input": "Where to?", "response": "To Bergen.", "reference": "To Bergen."}
for metric, more in (
    (DomainSpecificRubrics(llm=llm), {}),
    (InstanceSpecificRubrics(llm=llm), {"rubrics": levels}),
    (SummaryScore(llm=llm), {"reference_contexts": ["The ferry goes to Bergen."]}),
):
    assert 0 <= asyncio.run(metric.ascore(**fields, **more)).value <= 1, metric.name
grounded = ResponseGroundedness(llm=llm).score(
    response="To Bergen.", retrieved_contexts=["The ferry goes to Bergen."]
)
assert 0 <= grounded.value <= 1
result = evaluate(EvaluationDataset(samples=[whole]), metrics=[FactualCorrectness()], llm=llm)
frame = result.to_pandas()
assert list(frame.columns)[:2] == ["user_input", "response"]
assert "id" not in frame
assert result.total_tokens().input_tokens > 0
assert result.total_cost(cost_per_input_token=1e-6, cost_per_output_token=2e-6) > 0
