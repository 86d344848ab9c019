"""A metric of your own: a name, what it needs, and a formula."""

from llamaindex_rag_eval import EvaluationDataset, Metric, Score, SingleTurnSample, evaluate


class Brevity(Metric):
    """One over the number of sentences, in (0, 1]; higher is better."""

    name = "brevity"
    needs = frozenset({"response"})
    undefined = "The response is empty."

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        sentences = [part for part in sample.response.split(".") if part.strip()]
        return Score(1 / len(sentences) if sentences else None)


class SupportedBySeveral(Metric):
    """Share of the claims that two or more contexts support, in [0, 1]; higher is better.

    It asks the judge what `faithfulness` asks: together, both cost no more calls than one.
    """

    name = "supported_by_several"
    needs = frozenset({"query", "response", "contexts"})
    undefined = "The response makes no claim."

    async def measure(self, sample: SingleTurnSample) -> Score:
        """Score one sample."""
        claims = await self.judge.claims(sample.response, question=sample.query)
        support = await self.judge.support(claims, sources=sample.contexts, question=sample.query)
        several = [len(entry.sources) >= 2 for entry in support]
        return Score(sum(several) / len(several) if several else None, evidence=support)


samples = EvaluationDataset.from_rows(
    [
        {
            "question": "How long is the guarantee?",
            "answer": "The guarantee lasts two years.",
            "contexts": [
                "The guarantee lasts two years.",
                "Guarantee: the guarantee lasts two years.",
            ],
        },
        {
            "question": "How long is the guarantee?",
            "answer": "",
            "contexts": ["Prices include tax."],
        },
    ]
)

run = evaluate(samples, metrics=[Brevity(), SupportedBySeveral(), "faithfulness"])
for result in run.results:
    print(f"{result.metric}: {result.score if result.score is not None else result.reason}")
