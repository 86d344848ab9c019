"""Off replies in the habits of many models: what may be read is read, and all else is refused.

python -m tests.models.test_habits      # the replies that are wrongly used, and those lost
"""

import json
import time

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import Claims, ClaimsOf
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdictOutput
from llamaindex_rag_eval.judge.prompts import languages, shipped_prompts
from llamaindex_rag_eval.models.echo import objection_to
from llamaindex_rag_eval.models.llm import read_reply
from llamaindex_rag_eval.models.request import check_reply
from llamaindex_rag_eval.models.response import Completion, completion_of_text
from tests.models.asking import oracle_at, serving
from tests.models.habits import (
    CASES,
    CLAIMS,
    CONTRADICTIONS,
    ECHOES,
    INVENTED,
    MISSING,
    PLACEHOLDERS,
    REFUSED,
    REQUESTS,
    SHAPES,
    short,
)
from testset.requests.examine import ExamineOf, Opinion


def outcome(name: str) -> object:
    """Return what comes of an off reply, as its table has it."""
    asked, text, _ = CASES[name]
    request = REQUESTS[asked]
    assert request.prompt is not None
    try:
        output = read_reply(request, request.prompt, Completion(text))
        return short(check_reply(request, request.from_prompt(output)))
    except (ValueError, ReplyError):
        return REFUSED


def test_there_are_more_than_a_hundred() -> None:
    tables = (ECHOES, INVENTED, CONTRADICTIONS, PLACEHOLDERS, MISSING, SHAPES)
    assert len(CASES) == sum(map(len, tables)) > 100


@pytest.mark.parametrize("name", CASES)
def test_an_off_reply_is_read_in_one_way_or_refused(name: str) -> None:
    assert outcome(name) == CASES[name][2]


@pytest.mark.parametrize("code", languages())
def test_nothing_speaks_against_a_shipped_example(code: str) -> None:
    for prompt in shipped_prompts(code).values():
        for shown in prompt.examples:
            assert objection_to(shown.output, shown.input, "") == "", prompt.name


@pytest.mark.parametrize(
    "text", ["." * 100_000 + "x", '"' * 100_001, "<" * 100_000, "no " * 50_000]
)
def test_a_long_text_is_looked_through_once(text: str) -> None:
    began = time.process_time()
    output = AnswerVerdictOutput(reason=text, faults=(), verdict="right")
    assert objection_to(output, REQUESTS["verdict"].to_prompt(), "") == ""
    objection_to(Claims(claims=(text,)), REQUESTS["claims"].to_prompt(), "")
    assert time.process_time() - began < 5  # quadratic work would take minutes


async def test_what_speaks_against_a_reply_is_said_and_a_model_that_insists_fails() -> None:
    with serving(responders="tests.models.responders:HOLLOW", record=True) as server:
        with pytest.raises(ReplyError, match=r"'No claims\.' stands in place of a text"):
            await oracle_at(server, "text").ask(REQUESTS["claims"])
        messages = [each["messages"] for each in server.requests()]
    assert [len(each) for each in messages] == [2, 4, 2]
    assert "'No claims.' stands in place of a text" in str(messages[1][-1]["content"])


@pytest.mark.parametrize("second", [CLAIMS, {"claims": ["The museum opened in 1987."]}])
def test_of_several_tool_calls_none_is_taken_alone(second: dict[str, object]) -> None:
    functions = [{"function": {"arguments": json.dumps(each)}} for each in (CLAIMS, second)]
    written = completion_of_text({"choices": [{"message": {"tool_calls": functions}}]})
    prompt = ClaimsOf.prompt
    if second == CLAIMS:
        assert list(prompt.parse(written.text).claims) == CLAIMS["claims"]
    else:
        with pytest.raises(ValueError, match="not clear"):
            prompt.parse(written.text)


def main() -> None:
    """Print how many off replies are wrongly used, and how many that can be read are."""
    outcomes = {name: outcome(name) for name in CASES}
    readable = {name for name, (_, _, wanted) in CASES.items() if wanted is not REFUSED}
    wrong = [n for n, e in outcomes.items() if e is not REFUSED and e != CASES[n][2]]
    lost = [name for name in readable if outcomes[name] is REFUSED]
    print(f"{len(CASES)} off replies, {len(readable)} of them readable")
    print(f"wrongly used {len(wrong)}: {'; '.join(wrong) or 'none'}")
    used = len(readable) - len(lost)
    print(f"readable and used {used}; lost: {'; '.join(sorted(lost)) or 'none'}")


if __name__ == "__main__":
    main()


def test_what_an_examiner_reads_in_a_passage_may_be_nothing_or_quoted() -> None:
    given = ExamineOf(question="When does it sail?", reference="At 9.").to_prompt()
    lists: dict[str, list[str]] = {"faults": [], "findings": [], "facts": []}
    read = {"bearing": ["none", 'has: of "those days", no year']}
    texts = {"own": "", "question": "", "answer": "", "reason": "People ask this.", "fit": True}
    assert objection_to(Opinion.model_validate({**lists, **read, **texts}), given, "") == ""
