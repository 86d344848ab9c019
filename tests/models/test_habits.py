"""Off replies in the habits of many models: what may be read is read, and all else is refused.

    python -m tests.models.test_habits      # the replies that are wrongly used, and those lost
"""

import pytest

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.models.llm import read_reply
from llamaindex_rag_eval.models.request import check_reply
from llamaindex_rag_eval.models.response import Completion
from tests.models.habits import (
    CASES,
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


def main() -> None:
    """Print how many off replies are wrongly used, and how many that can be read are."""
    outcomes = {name: outcome(name) for name in CASES}
    readable = {name for name, (_, _, wanted) in CASES.items() if wanted is not REFUSED}
    wrong = [n for n, e in outcomes.items() if e is not REFUSED and e != CASES[n][2]]
    lost = [name for name in readable if outcomes[name] is REFUSED]
    print(f"{len(CASES)} off replies, {len(readable)} of them readable")
    print(f"wrongly used {len(wrong)}: {'; '.join(wrong) or 'none'}")
    print(f"readable and used {len(readable) - len(lost)}; lost: {'; '.join(sorted(lost)) or 'none'}")


if __name__ == "__main__":
    main()
