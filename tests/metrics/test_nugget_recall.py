import pytest

from llamaindex_rag_eval.data.sample import Fact, SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Support, SupportOf, SupportReply
from llamaindex_rag_eval.judge.support import Verdict
from llamaindex_rag_eval.metrics.nugget_recall import NuggetRecall, nugget_recall_score
from llamaindex_rag_eval.models import ScriptedOracle
from tests.metrics.judges import oracle_of

FACTS = (
    Fact(text="vital, stated"),
    Fact(text="vital, partly"),
    Fact(text="okay, stated", importance="okay"),
    Fact(text="okay, missing", importance="okay"),
)
STATED = [1, 0.5, 1, 0]


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ("vital", 1.5 / 2),
        ("all", 2.5 / 4),
        ("weighted", 2 / 3),  # (1 + .5 + .5 · 1 + .5 · 0) / (1 + 1 + .5 + .5)
    ],
)
def test_nuggets_are_weighted_as_in_the_track(of, expected):
    assert nugget_recall_score(FACTS, STATED, of=of) == pytest.approx(expected)


def test_without_a_nugget_that_counts_it_is_undefined():
    assert nugget_recall_score(FACTS[2:], STATED[2:]) is None
    assert nugget_recall_score((), ()) is None


@pytest.mark.parametrize(("strict", "expected"), [(False, 0.75), (True, 0.5)])
async def test_a_nugget_partly_stated_is_half_or_nothing(strict, expected):
    def support(request):
        verdicts: list[Verdict] = ["supported", "partly", "supported", "not_mentioned"]
        return SupportReply(
            verdicts=tuple(
                Support(claim=claim, verdict=verdict, sources=(0,))
                for claim, verdict in zip(request.claims, verdicts, strict=True)
            )
        )

    sample = SingleTurnSample(query="q", response="res", reference_facts=FACTS)
    metric = NuggetRecall(ScriptedOracle(by_request={SupportOf: support}), strict=strict)
    assert (await metric.result(sample)).score == expected


async def test_the_claims_of_the_reference_serve_where_no_facts_are_given():
    oracle = oracle_of(("r",), ("one", "two"), {("ref", "res"): ("1", "0")})
    sample = SingleTurnSample(query="q", response="res", reference="ref")
    assert (await NuggetRecall(oracle).result(sample)).score == 0.5


def test_settings_out_of_range_are_refused():
    with pytest.raises(InputError, match="of must be one of"):
        NuggetRecall(of="most")  # type: ignore[arg-type]
