"""Items that a second examiner doubts are tagged for review."""

from tests.testset.checks.examples import INDEX, ferry_draft, requests_to, writer
from testset.checks import critic
from testset.requests.critic import CriticOf, Opinion


async def test_the_critic_sends_to_review_where_a_second_examiner_disagrees():
    examiner = writer(Opinion(fit=False, reason="Nobody asks this."))
    check = await critic.by_model(ferry_draft(), INDEX, examiner)
    assert (check.verdict, "for review" in check.evidence) == ("tagged", True)
    assert requests_to(examiner) == [CriticOf]
    assert (
        await critic.by_model(ferry_draft(), INDEX, writer(Opinion(fit=True)))
    ).verdict == "passed"
