"""What evaluations are tested on: samples, a metric that asks no judge, a judge with a script."""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Support, SupportOf, SupportReply
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.result import Score
from llamaindex_rag_eval.models import ScriptedOracle


class Length(Metric):
    name = "length"
    needs = frozenset({"response"})
    bounds = (0.0, 1000.0)

    async def measure(self, sample: SingleTurnSample) -> Score:
        return Score(float(len(sample.response)))


def samples(count: int = 3) -> list[SingleTurnSample]:
    return [
        SingleTurnSample(
            id=f"q{number}",
            query="Where is Paris?",
            response=f"Paris lies on the Seine, number {number}.",
            contexts=("Paris lies on the Seine.",),
            reference="On the Seine.",
        )
        for number in range(count)
    ]


def replies(request: SupportOf) -> SupportReply:
    return SupportReply(
        verdicts=tuple(
            Support(claim=claim, verdict="supported", sources=(0,)) for claim in request.claims
        )
    )


def script() -> ScriptedOracle:
    return ScriptedOracle(by_request={ClaimsOf: Claims(claims=("a",)), SupportOf: replies})
