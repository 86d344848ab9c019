"""Verdicts have a probability where the log-probabilities of a reply tell it, and only there."""

import json
import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from llamaindex_rag_eval.errors import PendingError
from llamaindex_rag_eval.judge import SupportOf
from llamaindex_rag_eval.models import CachedOracle, Limit, LLMOracle, Store
from llamaindex_rag_eval.models.batch import BatchFolder
from llamaindex_rag_eval.models.batch_oracle import BatchTransport
from llamaindex_rag_eval.models.batch_submit import submit
from llamaindex_rag_eval.models.logprobs import Chances, chances_of
from llamaindex_rag_eval.models.openai_like import OpenAILike
from llamaindex_rag_eval.models.response import Completion
from tests.models.asking import REQUESTS, SUPPORT, llm_at, oracle_at, serving
from tests.server import Fault, LoopbackServer

WORDS = ("yes", "no", "yellow")


def token(text: str, chance: float = 1.0, **others: float) -> dict[str, Any]:
    """Return a token with alternatives, as OpenAI's API has them."""
    tops = [{"token": t, "logprob": math.log(c), "bytes": None} for t, c in others.items()]
    return {"token": text, "logprob": math.log(chance), "bytes": None, "top_logprobs": tops}


def found_in(text: str, tokens: list[dict[str, Any]], *written: str) -> tuple[Chances | None, ...]:
    return chances_of(Completion(text, logprobs=tuple(tokens)), "is", WORDS, written)


TEXT = '{"is": "no", "why": "\\"is\\": \\"yes\\""}'
NO = token("no", 0.5, no=0.5, ye=0.125, yes=0.125, maybe=0.25)
TOKENS = [token('{"is": "'), NO, token(TEXT[10:])]


def test_the_words_share_what_the_other_alternatives_leave() -> None:
    (found,) = found_in(TEXT, TOKENS, "no")
    assert found is not None
    # "ye" may begin "yes" or "yellow": 1/2 and 1/8 are shared out.
    assert found.by_word == pytest.approx({"no": 4 / 5, "yes": 1 / 5})
    assert found.unseen == 0


def test_without_alternatives_the_rest_is_not_seen() -> None:
    (found,) = found_in(TEXT, [TOKENS[0], token("no", 0.75), TOKENS[2]], "no")
    assert found is not None
    assert found.by_word == pytest.approx({"no": 3 / 4})
    # 3/4 * 0 + 1/4 * 1/2
    assert found.expected({"no": 0, "yes": 1, "yellow": 1}, unseen=0.5) == pytest.approx(1 / 8)


@pytest.mark.parametrize("before", ["", ' "', ': "', '{"is": "'])
def test_a_token_may_hold_what_is_before_and_after_the_word(before: str) -> None:
    start = TEXT[: 8 - len(before)]
    word = token(before + 'no",', 0.5, **{before + "yes": 0.25, "yes": 0.25, before or "?": 0.1})
    tokens = [token(start), word, token(TEXT[8 + len('no",') :])]
    (found,) = found_in(TEXT, tokens, "no")
    assert found is not None
    # "yes" alone counts only where nothing stands before the word.
    assert found.by_word == pytest.approx({"no": 2 / 3, "yes": 1 / 3})


def test_thoughts_before_the_reply_and_an_end_after_it_are_passed_over() -> None:
    tokens = [token("<think>é</think>\n"), *TOKENS, token("<|im_end|>")]
    assert found_in(TEXT, tokens, "no") == found_in(TEXT, TOKENS, "no")


def test_characters_may_be_written_in_several_tokens() -> None:
    text = '{"why": "質é", "is": "no"}'
    split = [{**token("?"), "bytes": [byte]} for byte in text[:-4].encode()]
    (found,) = found_in(text, [*split, NO, token('"}')], "no")
    assert found is not None
    assert found.by_word["no"] == pytest.approx(4 / 5)


@pytest.mark.parametrize(
    ("text", "tokens", "written"),
    [
        (TEXT, [], ("no",)),
        (TEXT, TOKENS[:2], ("no",)),
        (TEXT, [*TOKENS, *TOKENS], ("no",)),
        (TEXT, [TOKENS[0], {"token": 3}, TOKENS[2]], ("no",)),
        (TEXT, [TOKENS[0], {**NO, "logprob": None}, TOKENS[2]], ("no",)),
        (TEXT, [TOKENS[0], {**NO, "logprob": math.nan}, TOKENS[2]], ("no",)),
        (TEXT, [TOKENS[0], {**NO, "logprob": -9999.0, "top_logprobs": []}, TOKENS[2]], ("no",)),
        (TEXT, TOKENS, ("yes",)),
        (TEXT, TOKENS, ("no", "no")),
        (TEXT.replace("no", "No"), TOKENS, ("no",)),
        (TEXT[:-1], [*TOKENS[:2], token(TEXT[10:-1])], ("no",)),
        (TEXT[:-1] + ",}", [*TOKENS[:2], token(TEXT[10:-1] + ",}")], ("no",)),
        (TEXT * 2, TOKENS * 2, ("no",)),
    ],
)
def test_what_does_not_fit_has_no_chances(
    text: str, tokens: list[dict[str, Any]], written: tuple[str, ...]
) -> None:
    assert found_in(text, tokens, *written) == (None,) * len(written)


GIVING = {"logprobs": "given"}


@pytest.fixture(scope="module")
def giving_server() -> Iterator[LoopbackServer]:
    with serving(record=True, forms=GIVING) as server:
        yield server


@pytest.fixture
def server(giving_server: LoopbackServer) -> LoopbackServer:
    giving_server.reset()
    return giving_server


def of(server: LoopbackServer, model: str, **options: Any) -> LLMOracle:
    """Return an oracle for a model that no other test asks."""
    llm = OpenAILike(model=model, api_base=server.url, api_key="none", temperature=0.0)
    options.setdefault("way", "schema")
    return LLMOracle(llm, limit=Limit(16, timeout=60, retries=3), **options)


async def probabilities(oracle: LLMOracle | CachedOracle, request: SupportOf = SUPPORT) -> Any:
    return [entry.probability for entry in (await oracle.ask(request)).verdicts]


# The server writes each token with 3/4, beside "not" with 1/8, "part" with 1/16 and one that is no
# word. Supported: (3/4 + 1/2 * 1/16) / (15/16); contradicted: (1/2 * 1/16) / (15/16).
GIVEN = pytest.approx([5 / 6, 5 / 6, 1 / 30])
ALONE = pytest.approx([3 / 4 + 1 / 8, 3 / 4 + 1 / 8, 1 / 8])


@pytest.mark.parametrize(("gives", "expected"), [("given", GIVEN), ("alone", ALONE)])
@pytest.mark.parametrize("way", ["schema", "json", "text"])
async def test_verdicts_have_the_probability_that_the_claim_is_supported(
    gives: str, expected: Any, way: Any
) -> None:
    with serving(forms={"logprobs": gives}) as server:
        assert await probabilities(of(server, f"weighs-{gives}-{way}", way=way)) == expected


async def test_only_verdicts_on_claims_are_asked_for_them(server: LoopbackServer) -> None:
    for request in REQUESTS.values():
        await oracle_at(server).ask(request)
    asked = [body for body in server.requests() if "logprobs" in body]
    assert [body["response_format"]["json_schema"]["name"] for body in asked] == ["support"]
    assert (asked[0]["logprobs"], asked[0]["top_logprobs"]) == (True, 5)


@pytest.mark.parametrize("status", [403, 500])
async def test_a_server_that_refuses_them_is_asked_without_and_not_again(status: int) -> None:
    with serving(record=True, forms={"logprobs": "refused", "status": status}) as server:
        oracle = of(server, f"refuses-logprobs-{status}")
        assert await probabilities(oracle) == [None] * 3
        await oracle.ask(SUPPORT.model_copy(update={"claims": ("Ada is tall.",)}))
        assert [body.get("logprobs") for body in server.requests()] == [True, None, None]


async def test_they_are_not_asked_of_reasoning_models_or_tools(server: LoopbackServer) -> None:
    thinking = llm_at(server).model_copy(update={"model": "o3-mini"})
    for oracle in (LLMOracle(thinking, way="schema"), oracle_at(server, "tool")):
        assert await probabilities(oracle) == [None] * 3
    assert not any("logprobs" in body for body in server.requests())


async def test_they_can_be_left_out_with_replies_kept_apart(server: LoopbackServer) -> None:
    off, on = oracle_at(server, logprobs=False), oracle_at(server)
    assert await probabilities(off) == [None] * 3
    assert off.fingerprint(SupportOf) != on.fingerprint(SupportOf)
    others = {type(request) for request in REQUESTS.values()} - {SupportOf}
    assert all(off.fingerprint(kind) == on.fingerprint(kind) for kind in others)


async def test_a_store_keeps_them(server: LoopbackServer, tmp_path: Path) -> None:
    for _ in range(2):
        cached = CachedOracle(oracle_at(server), Store(tmp_path / "replies.db"))
        assert await probabilities(cached) == GIVEN
    assert server.stats().calls == 1


async def test_groups_and_what_was_missing_have_them_too(server: LoopbackServer) -> None:
    assert await probabilities(oracle_at(server, claims_at_once=2)) == GIVEN
    with serving(Fault(kind="missing_item"), forms=GIVING) as faulty:
        assert await probabilities(oracle_at(faulty)) == GIVEN
        assert faulty.stats().calls > 1


@pytest.mark.parametrize("kind", ["code_fence", "prose_around"])
async def test_what_stands_around_the_reply_changes_nothing(kind: Any) -> None:
    with serving(Fault(kind=kind), forms=GIVING) as server:
        assert await probabilities(of(server, f"weighs-{kind}", way="text")) == GIVEN


async def test_a_reply_that_was_repaired_has_none() -> None:
    with serving(Fault(kind="trailing_comma"), forms=GIVING) as server:
        assert await probabilities(of(server, "weighs-repaired", way="text")) == [None] * 3


async def test_votes_average_them() -> None:
    replies = [await one_reply(gives) for gives in ("given", "alone", "ignored")]
    first, _, third = SUPPORT.majority(replies).verdicts
    assert first.probability == pytest.approx((5 / 6 + 7 / 8 + 1) / 3)
    assert third.probability == pytest.approx((1 / 30 + 1 / 8 + 0) / 3)


async def one_reply(gives: str) -> Any:
    with serving(forms={"logprobs": gives}) as server:
        return await of(server, f"votes-{gives}").ask(SUPPORT)


async def test_batch_files_ask_and_give_them(tmp_path: Path) -> None:
    with serving(forms=GIVING) as server:
        folder = BatchFolder(tmp_path)
        oracle = of(server, "weighs-in-batches", connect=partial(BatchTransport, folder))
        with pytest.raises(PendingError):
            await oracle.ask(SUPPORT)
        (path,) = folder.write_round()
        assert json.loads(path.read_text())["body"]["logprobs"] is True
        await submit(folder, oracle.llm, poll=0.01)
        assert await probabilities(oracle) == GIVEN
