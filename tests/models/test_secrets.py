"""An API key goes to the provider in a header, and nowhere else."""

import logging
import traceback
from pathlib import Path

import pytest

from llamaindex_rag_eval import SingleTurnSample, aevaluate
from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import CachedOracle, LimitedOracle, LLMOracle, Store, VotingOracle
from llamaindex_rag_eval.models.completion import without_keys
from tests.models.asking import KEY, SUPPORT, failing, llm_at, oracle_at, serving
from tests.server import LoopbackServer

ODD_KEY = "org-9f8e7d6c5b4a39281706"
"""A key without the prefix by which keys are known."""

SAMPLES = [SingleTurnSample(query="q", response="Ada is tall.", contexts=("Ada is tall.",))]


@pytest.mark.parametrize("key", [KEY, ODD_KEY])
@pytest.mark.parametrize("kind", [None, "unauthorized", "malformed_json", "server_error"])
async def test_a_key_is_in_no_log_file_or_table(
    kind: str | None, key: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    mode = "transient" if kind == "server_error" else "permanent"
    server = serving() if kind is None else failing(kind, mode=mode)  # type: ignore[arg-type]  # one of them
    store = Store(tmp_path / "cache.db")
    with server:
        oracle = LLMOracle(llm_at(server, api_key=key))
        judge = Judge(CachedOracle(oracle, store))
        run = await aevaluate(
            SAMPLES, metrics=[Faithfulness()], judge=judge, out=tmp_path / "run.jsonl"
        )
    run.to_csv(tmp_path / "run.csv")
    store.close()
    assert (run.results[0].status == "failed") == (kind in ("unauthorized", "malformed_json"))
    assert caplog.text
    assert key not in caplog.text
    written = [path.read_bytes() for path in tmp_path.iterdir()]  # noqa: ASYNC240 - at the end
    assert len(written) >= 3
    assert not any(key.encode() in content for content in written)
    assert key not in repr(run) + repr(judge)


@pytest.mark.parametrize("key", [KEY, ODD_KEY])
async def test_a_key_is_in_no_exception(key: str) -> None:
    failed = pytest.raises(CallError, match="Incorrect API key")
    with failing("unauthorized", mode="permanent") as server, failed as caught:
        await LLMOracle(llm_at(server, api_key=key)).ask(SUPPORT)
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert key not in shown
    assert key[:5] not in shown or key == ODD_KEY  # the server itself shows the first five


def test_a_key_is_in_no_repr(server: LoopbackServer) -> None:
    oracle = oracle_at(server)
    for shown in (
        oracle,
        CachedOracle(oracle),
        VotingOracle(oracle),
        LimitedOracle(oracle, oracle.limit),
    ):
        assert KEY not in repr(shown)
        assert KEY not in shown.fingerprint(type(SUPPORT))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (f"bad key {ODD_KEY}!", ODD_KEY),
        (f"bad key {KEY}", ""),
        ("Authorization: Bearer abcdefghijk.lmn", ""),
        ("api_key='abcdefghijk'", ""),
        ('"apiKey": "abcdefghijk"', ""),
    ],
)
def test_what_looks_like_a_key_is_left_out(text: str, key: str) -> None:
    assert "[key]" in without_keys(text, key)
    assert not any(word in without_keys(text, key) for word in (ODD_KEY, KEY, "abcdefghijk"))


def test_a_word_that_local_servers_are_sent_for_a_key_is_kept() -> None:
    assert without_keys("none of them", "none") == "none of them"
