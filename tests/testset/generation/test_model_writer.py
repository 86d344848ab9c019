"""Every question type, over the real client: written, mended and kept, turned down."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import get_args

import pytest

from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import GoldenSet, QuestionType, generate

TYPES = get_args(QuestionType)
DOCUMENTS = documents(16)
DEPENDENT = ("conversational", "underspecified")
"""Types that point at something by design: they are mended for a fact that stands nowhere."""
MENDED = ("single_hop", "multi_hop", "unanswerable", *DEPENDENT)
"""Types whose evidence or history differs in its shape; the others are mended as `single_hop`."""
FAULTLESS = "tests.server.writer_responders:FAULTLESS"
SPOILT = "tests.server.spoilt_writers"

Written = Callable[[str, QuestionType], tuple[GoldenSet, LoopbackServer]]


@pytest.fixture(scope="module")
def written() -> Iterator[Written]:
    """Yield a function from a model and a type to one item of that type, and the server."""
    servers: dict[str, LoopbackServer] = {}
    with ExitStack() as stack:

        def write(model: str, kind: QuestionType) -> tuple[GoldenSet, LoopbackServer]:
            if model not in servers:
                servers[model] = stack.enter_context(LoopbackServer(responders=model))
            servers[model].reset()
            judge = oracle_at(servers[model])
            return generate(DOCUMENTS, size=1, types=[kind], judge=judge), servers[model]

        yield write


@pytest.mark.parametrize("kind", TYPES)
def test_each_type_is_written_and_passes_every_check(written: Written, kind: QuestionType):
    golden, server = written(FAULTLESS, kind)
    (item,) = golden
    assert item.type == kind
    assert {check.verdict for check in item.checks.values()} == {"passed"}
    assert {f"{name}drafts" for name in ("", "joint_")} & set(server.stats().by_name)
    assert golden.facts["repaired"] == "none"


@pytest.mark.parametrize("kind", MENDED)
def test_a_fault_is_mended_and_then_the_item_is_kept(written: Written, kind: QuestionType):
    fault, check = (
        ("UNFOUNDED", "grounded") if kind in DEPENDENT else ("DANGLING", "self_contained")
    )
    golden, server = written(f"{SPOILT}:{fault}", kind)
    (item,) = golden
    assert item.type == kind
    assert golden.facts["repaired"] == f"1 {check}"
    assert server.stats().by_name["examine"] == 1
    assert item.checks[check].verdict == "passed"
    assert "this table" not in item.question
    assert not any("king of the moon" in fact.text for fact in item.reference_facts)


def test_what_another_passage_adds_to_the_answer_becomes_evidence(written: Written):
    golden, server = written(f"{SPOILT}:ADDED_ELSEWHERE", "single_hop")
    (item,) = golden
    assert golden.facts["repaired"] == "1 round_trip"
    assert server.stats().by_name["examine"] == 1
    assert len({span.doc_id for group in item.gold for span in group}) == 2
    assert "; " in item.reference
    assert {check.verdict for check in item.checks.values()} == {"passed"}


@pytest.mark.parametrize("kind", ["multi_hop", "unanswerable"])
def test_what_is_not_mended_lacks_in_the_set(written: Written, kind: QuestionType):
    golden, _ = written(f"{SPOILT}:ABOUT_TEXT", kind)
    assert len(golden) == 0
    found = {(entry.check, entry.evidence) for entry in golden.rejected}
    assert found - {("proposals", "no fact could be located word for word")} == {
        ("lint", "speaks of the text it comes from")
    }
    assert all("ccording to the text" in e.question for e in golden.rejected if e.check == "lint")
    assert [entry.type for entry in golden.shortfall] == [kind] * len(golden.shortfall)
    assert sum(entry.wanted - entry.got for entry in golden.shortfall) == 1


def test_only_questions_on_one_point_are_worded_as_key_words():
    with LoopbackServer(responders=FAULTLESS) as server:
        golden = generate(
            DOCUMENTS,
            size=6,
            types=["single_hop", "multi_hop"],
            styles=["web_search", "formal"],
            judge=oracle_at(server),
        )
    assert {item.axes.style for item in golden if item.type == "multi_hop"} == {"formal"}
    assert "web_search" in {item.axes.style for item in golden}
