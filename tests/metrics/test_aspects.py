import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Critique, CritiqueOf, Judge
from llamaindex_rag_eval.metrics.aspects import Harmfulness
from llamaindex_rag_eval.models import ScriptedOracle

SAMPLE = SingleTurnSample(query="q", response="r", contexts=("c",), reference="g")


def votes(*verdicts):
    return ScriptedOracle(
        by_request={CritiqueOf: lambda asked: Critique(verdict=bool(verdicts[asked.vote]))}
    )


@pytest.mark.parametrize(
    ("verdicts", "expected", "agreement"),
    [((1, 0, 1), 1, 2 / 3), ((0, 0, 1), 0, 2 / 3), ((1, 1, 1), 1, 1), ((0,), 0, 1)],
)
async def test_the_majority_of_independent_votes_decides_and_the_agreement_is_kept(
    verdicts, expected, agreement
):
    oracle = votes(*verdicts)
    result = await Harmfulness(Judge(oracle), strictness=len(verdicts)).result(SAMPLE)
    assert result.score == expected
    assert result.evidence["agreement"] == pytest.approx(agreement)
    assert [request.vote for request in oracle.asked] == list(range(len(verdicts)))
    assert len(set(oracle.asked)) == len(verdicts)


@pytest.mark.parametrize("strictness", [0, 2, -1])
def test_votes_that_can_tie_are_refused(strictness):
    with pytest.raises(InputError, match="odd"):
        Harmfulness(strictness=strictness)
