"""Questions that point outside themselves are rejected, by rule and by model."""

import pytest

from tests.testset.checks.examples import (
    INDEX,
    ferry_draft,
    opinion,
    pump_draft,
    requests_to,
    writer,
)
from testset.checks import self_contained
from testset.checks.examined import Examiner
from testset.requests.examine import ExamineOf


@pytest.mark.parametrize("question", ["When did he design it?", "What does this table show?"])
def test_self_contained_rejects_what_points_elsewhere(question):
    assert self_contained.by_rule(pump_draft(question)).verdict == "rejected"


def test_self_contained_passes_a_possessive_whose_owner_is_named():
    assert (
        self_contained.by_rule(pump_draft("When did Ada Byron build her first pump?")).verdict
        == "passed"
    )
    assert self_contained.by_rule(pump_draft("When was his pump built?")).verdict == "rejected"


def test_self_contained_passes_a_conjunction_that_looks_like_a_pronoun():
    asked = "Was muss vorliegen, damit eine Pumpe ersetzt wird?"
    assert self_contained.by_rule(pump_draft(asked, language="de")).verdict == "passed"
    asked = "Was kann man damit pumpen?"
    assert self_contained.by_rule(pump_draft(asked, language="de")).verdict == "rejected"


async def test_a_model_rejects_what_points_elsewhere_by_rule_and_by_model():
    found = await self_contained.by_model(
        ferry_draft("How many does this list name?"), Examiner(INDEX, writer(opinion()))
    )
    assert found.verdict == "rejected"
    found = await self_contained.by_model(
        ferry_draft("How many people fit?"),
        Examiner(INDEX, writer(opinion(("not_named", "the ship"), fit=False))),
    )
    assert (found.verdict, "the ship" in found.evidence) == ("rejected", True)


@pytest.mark.parametrize(
    "question", ["How do we fill it?", "What is its load?", "Who repairs them?", "Wann fährt sie?"]
)
async def test_what_a_pronoun_of_a_model_s_question_stands_for_is_left_to_the_examiner(question):
    fit = Examiner(INDEX, writer(opinion(fit=True)))
    draft = ferry_draft(question, language="de" if "sie" in question else "en")
    assert (await self_contained.by_model(draft, fit)).verdict == "passed"
    unfit = Examiner(INDEX, writer(opinion(("not_named", "the ship"), fit=False)))
    assert (await self_contained.by_model(draft, unfit)).verdict == "rejected"


async def test_a_model_passes_what_is_fit_though_a_name_is_missing():
    examiner = Examiner(INDEX, writer(opinion(("not_named", "the ship"))))
    found = await self_contained.by_model(ferry_draft("How many people fit?"), examiner)
    assert (found.verdict, found.evidence) == ("passed", "not named: the ship")


async def test_a_model_passes_what_stands_alone_and_what_leans_by_design():
    alone = writer(opinion(fit=True))
    found = await self_contained.by_model(ferry_draft(), Examiner(INDEX, alone))
    assert (found.verdict, requests_to(alone)) == ("passed", [ExamineOf])
    leaning = ferry_draft("And how many does it carry?", type="conversational")
    nobody = Examiner(INDEX, writer())
    assert (await self_contained.by_model(leaning, nobody)).verdict == "passed"


async def test_a_model_passes_a_pronoun_after_the_name_it_stands_for():
    question = "When was the Orla ferry built and what does it carry?"
    examiner = Examiner(INDEX, writer(opinion(fit=True)))
    assert (await self_contained.by_model(ferry_draft(question), examiner)).verdict == "passed"
