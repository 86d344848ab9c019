"""Encryption that does not come about is named: strange certificates, and the wrong scheme."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval.engines.http import HttpEngine
from llamaindex_rag_eval.errors import CallError, EndpointError
from llamaindex_rag_eval.models import Limit, LLMOracle, wire
from llamaindex_rag_eval.models.embedder import Embedder
from llamaindex_rag_eval.models.endpoint import complete
from llamaindex_rag_eval.models.openai_embedding import OpenAILikeEmbedding
from llamaindex_rag_eval.models.transport import Transport
from tests.models.asking import KEY, SUPPORT
from tests.models.recording import ANY_FORM, SAID
from tests.requirement import require

EXCEPTIONS = ("Error", "Exception", "SSL:")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a key and a certificate that nobody trusts, made just now."""
    program = shutil.which("openssl")
    require(program, "openssl")
    folder = tmp_path_factory.mktemp("certificate")
    both = folder / "both.pem"
    subprocess.run(
        [
            *(str(program), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", str(folder / "key.pem")),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-out", str(folder / "certificate.pem")),
        ],
        check=True,
        capture_output=True,
    )
    parts = ("key.pem", "certificate.pem")
    both.write_text("".join((folder / name).read_text() for name in parts))
    return both


@asynccontextmanager
async def server_on(certificate: Path | None) -> AsyncIterator[int]:
    """Yield the port of a server that refuses every request, with encryption or without."""
    context = None
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")  # of a hello in TLS it waits for more, as some do
            writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "CONNECT_SECONDS", 0.5)


def transports(url: str) -> dict[str, Transport]:
    """Return transports of LLMs that call over aiohttp, and over a client of the user's own."""
    own = OpenAI(model="gpt-4o-mini", api_base=url, api_key=KEY, max_retries=0, timeout=2)
    client = httpx.AsyncClient(timeout=2)
    theirs = OpenAI(
        model="gpt-4o-mini",
        api_base=url,
        api_key=KEY,
        max_retries=0,
        async_http_client=client,
        timeout=2,
    )
    return {"aiohttp": Transport(own), "httpx": Transport(theirs)}


@pytest.mark.parametrize("client", ["aiohttp", "httpx"])
@pytest.mark.parametrize(
    ("encrypted", "scheme", "sentences"),
    [
        (True, "https", ["the certificate of the server 127.0.0.1:{port} is not trusted"]),
        (True, "http", ["lost before the answer was there, as by a server that expects https"]),
        (
            False,
            "https",
            ["as by a server that speaks plain http", "the server does not speak https"],
        ),
    ],
)
async def test_each_is_said_in_one_sentence(
    client: str, encrypted: bool, scheme: str, sentences: list[str], certificate: Path
) -> None:
    async with server_on(certificate if encrypted else None) as port:
        transport = transports(f"{scheme}://127.0.0.1:{port}/v1")[client]
        with pytest.raises(CallError) as caught:
            await complete(transport, SAID, ANY_FORM, "json")
    assert any(each.format(port=port) in str(caught.value) for each in sentences)
    assert not any(name in str(caught.value) for name in EXCEPTIONS)


async def test_a_strange_certificate_ends_the_run_at_once_and_says_why(certificate: Path) -> None:
    async with server_on(certificate) as port:
        llm = OpenAI(model="gpt-4o-mini", api_base=f"https://127.0.0.1:{port}/v1", api_key=KEY)
        with pytest.raises(EndpointError) as caught:
            await LLMOracle(llm, limit=Limit(2)).ask(SUPPORT)
    assert "is not trusted; SSL_CERT_FILE names a file of certificates" in str(caught.value)
    assert "self-signed certificate" in str(caught.value)


async def test_embeddings_and_engines_say_it_too(certificate: Path) -> None:
    async with server_on(certificate) as port:
        url = f"https://127.0.0.1:{port}"
        model = OpenAILikeEmbedding(model_name="e", api_base=f"{url}/v1", api_key=KEY)
        with pytest.raises(EndpointError, match=r"is not trusted; .*self-signed"):
            await Embedder(model, Limit(2)).vectors(["a"])
        with pytest.raises(CallError, match=r"is not trusted; .*self-signed"):
            await HttpEngine(url, body={"q": "{question}"}).ask("Where?")
