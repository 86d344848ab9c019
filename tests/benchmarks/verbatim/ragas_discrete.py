"""ragas 0.4: metrics by a prompt and by a function, and an experiment over rows."""

import asyncio
import tempfile

from ragas import Dataset, experiment
from ragas.llms import llm_factory
from ragas.metrics import DiscreteMetric, NumericMetric, discrete_metric
from ragas.metrics.result import MetricResult

llm = llm_factory("gpt-4o-mini")
metric = DiscreteMetric(
    name="accuracy",
    prompt="Is this accurate? Response: {response}",
    allowed_values=["accurate", "inaccurate"],
)
length = NumericMetric(name="length", prompt="How long is {response}?", allowed_values=(0.0, 1.0))


@discrete_metric(name="short", allowed_values=["pass", "fail"])
def short(response: str) -> MetricResult:
    """Say whether a response is short."""
    return MetricResult(value="pass" if len(response) < 99 else "fail", reason="Its length.")


@experiment()
async def run(row: dict) -> dict:
    """Score a row."""
    score = await metric.ascore(llm=llm, response=row["response"])
    return {**row, "accuracy": score.value, "short": short.score(response=row["response"]).value}


with tempfile.TemporaryDirectory() as folder:
    dataset = Dataset(name="answers", backend="local/csv", root_dir=folder)
    dataset.append({"response": "It goes to Bergen."})
    dataset.save()
    rows = asyncio.run(run.arun(Dataset.load("answers", "local/csv", folder)))
assert rows[0]["accuracy"] in {"accurate", "inaccurate"}
assert rows[0]["short"] == "pass"
assert 0 <= length.score(llm=llm, response="It goes to Bergen.").value <= 1
