"""The reason why no server was reached is named, whatever the client's error says."""

import socket
import ssl

from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval import Faithfulness, Judge, Limit, LLMOracle, SingleTurnSample, evaluate
from llamaindex_rag_eval.models.connection import connection_fault


def closed_port() -> int:
    """Return a port at which nothing listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def reason_over(url: str) -> str:
    """Return why a row fails that is judged over an address."""
    llm = OpenAI(model="gpt-4o-mini", api_base=url, api_key="sk-test-0000000000", timeout=10)
    judge = Judge(LLMOracle(llm, limit=Limit(retries=0)))
    sample = SingleTurnSample(query="Colour?", response="It is blue.", contexts=("Blue.",))
    (result,) = evaluate([sample], metrics=[Faithfulness()], judge=judge).results
    assert result.status == "failed"
    return result.reason


def test_a_refused_connection_is_not_called_a_time_out() -> None:
    port = closed_port()
    reason = reason_over(f"http://127.0.0.1:{port}/v1")
    assert f"the connection to 127.0.0.1:{port} was refused" in reason
    assert "timed out" not in reason


def test_an_unknown_host_is_named() -> None:
    reason = reason_over("http://no-such-host.invalid/v1")
    assert "the host 'no-such-host.invalid' is not known" in reason


def test_a_certificate_that_is_not_trusted_is_named() -> None:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "self-signed certificate"
    wrapped = RuntimeError("no connection")
    wrapped.__cause__ = error
    assert "is not trusted: self-signed certificate" in connection_fault(wrapped)
