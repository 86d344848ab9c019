"""Items that a second examiner does not find fit are rejected."""

from tests.scripted import asked_of
from tests.testset.checks.examples import INDEX, ferry_draft, requests_to, writer
from testset.checks import critic
from testset.requests.critic import CriticOf, Opinion


async def test_the_critic_rejects_what_a_second_examiner_finds_unfit():
    examiner = writer(Opinion(fit=False, reason="Nobody asks this."))
    check = await critic.by_model(ferry_draft(), INDEX, examiner)
    assert (check.verdict, check.evidence) == ("rejected", "Nobody asks this.")
    assert requests_to(examiner) == [CriticOf]
    assert (
        await critic.by_model(ferry_draft(), INDEX, writer(Opinion(fit=True)))
    ).verdict == "passed"


async def test_the_critic_sees_what_comes_nearest_to_an_unanswerable_question():
    examiner = writer(Opinion(fit=False, reason="Passage 1 answers it."))
    refused = ferry_draft(reference="", type="unanswerable", gold=(), behaviour="refuse")
    check = await critic.by_model(refused, INDEX, examiner)
    (asked,) = asked_of(examiner.oracle, CriticOf)
    assert check.verdict == "rejected"
    assert any("120 people" in passage for passage in asked.evidence)
