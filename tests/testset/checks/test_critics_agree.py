"""Items that a second examiner does not find fit are rejected."""

from tests.scripted import asked_of
from tests.testset.checks.examples import (
    INDEX,
    ferry_draft,
    index_of,
    opinion,
    requests_to,
    writer,
)
from testset import SourceDocument
from testset.checks import critics_agree, self_contained, unanswerable
from testset.checks.examined import Examiner
from testset.requests.examine import ExamineOf, Finding


async def test_what_a_second_examiner_finds_unfit_is_rejected():
    examiner = Examiner(INDEX, writer(opinion(fit=False, reason="Nobody asks this.")))
    check = await critics_agree.by_model(ferry_draft(), examiner)
    assert (check.verdict, check.evidence) == ("rejected", "Nobody asks this.")
    fit = Examiner(INDEX, writer(opinion(fit=True)))
    assert (await critics_agree.by_model(ferry_draft(), fit)).verdict == "passed"


async def test_an_examiner_is_asked_once_for_each_draft():
    asked = writer(opinion(fit=True), opinion(fit=False))
    examiner = Examiner(INDEX, asked)
    first, second = ferry_draft(), ferry_draft("How many people fit on the Orla ferry?")
    for draft in (first, first, second):
        await self_contained.by_model(draft, examiner)
        await critics_agree.by_model(draft, examiner)
    assert requests_to(asked) == [ExamineOf, ExamineOf]


async def test_an_examiner_sees_what_comes_nearest_to_an_unanswerable_question():
    asked = writer(opinion(fit=False, reason="Passage 1 answers it."))
    refused = ferry_draft(reference="", type="unanswerable", gold=(), expected_behaviour="refuse")
    check = await critics_agree.by_model(refused, Examiner(INDEX, asked))
    (request,) = asked_of(asked.oracle.inner, ExamineOf)
    assert check.verdict == "rejected"
    assert any("120 people" in passage for passage in request.passages)
    assert request.facts == ()


async def test_an_examiner_sees_first_what_an_unanswerable_question_was_written_from():
    winches = [SourceDocument(f"{n}.md", f"Winch {n} is red.\n") for n in range(20)]
    index, asked = index_of(*winches), writer(opinion(fit=True))
    lost = ferry_draft("How heavy is it?", "", type="unanswerable", gold=(), origin=(7,))
    await critics_agree.by_model(lost, Examiner(index, asked))
    (request,) = asked_of(asked.oracle.inner, ExamineOf)
    assert request.passages[0] == index.passages[7].shown
    assert len({*request.passages}) == len(request.passages)


async def test_a_question_to_refuse_that_is_mended_is_not_answered_by_what_answered_it_before():
    told = Finding(passage=0, quote="120 people", kind="same")
    reply = opinion(question="Who built the ramp of the Orla ferry?", findings=(told,))
    lost = ferry_draft(reference="", type="unanswerable", gold=(), expected_behaviour="refuse")
    examiner = Examiner(INDEX, writer(reply))
    check, _ = await unanswerable.by_model(lost, INDEX, examiner)
    assert check.verdict == "rejected"
    mended = examiner.mended(lost)
    check, kept = await unanswerable.by_model(mended, INDEX, examiner)
    assert (check.verdict, kept.question) == ("passed", "Who built the ramp of the Orla ferry?")
