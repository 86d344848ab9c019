import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from llamaindex_rag_eval.engines.chat import adapter_of
from llamaindex_rag_eval.engines.engine import engine_at, settings_of
from llamaindex_rag_eval.engines.http import HttpEngine
from llamaindex_rag_eval.errors import EngineError

APP = """
from llama_index.core.base.base_retriever import BaseRetriever

class Shelf(BaseRetriever):
    def _retrieve(self, query_bundle):
        return []

retriever = Shelf()
number = 3
class shelves:
    retriever = retriever

def ask(question):
    return question

class Slots:
    __slots__ = ()
    def __call__(self, question):
        return question
    def ask(self, question):
        return question

slots = Slots()

from llama_index.core.query_engine import CustomQueryEngine

class OfPydantic(CustomQueryEngine):
    def custom_query(self, query_str):
        return query_str

from llamaindex_rag_eval import HttpEngine

service = HttpEngine("https://host/ask", fields={"response": "$.a"})

def make():
    return retriever

def make_with_defaults(path="x", *rest, **named):
    return retriever

def make_number():
    return 3

def make_nothing():
    raise OSError("no index")
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "some_app.py").write_text(APP)
    (tmp_path / "broken_app.py").write_text("1 / 0\n")
    (tmp_path / "needy_app.py").write_text("import a_package_nobody_has\n")
    yield
    for name in ("some_app", "broken_app", "needy_app"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("path", ["retriever", "shelves.retriever", "make", "make_with_defaults"])
def test_finds_an_engine_in_the_current_folder_or_makes_it(path: str) -> None:
    assert type(engine_at(f"some_app:{path}")).__name__ == "Shelf"


@pytest.mark.parametrize(
    "name", ["retriever", "ask", "make", "slots", "slots.ask", "OfPydantic", "service"]
)
def test_an_engine_carries_its_name_whatever_it_is(name: str) -> None:
    path = f"some_app:{name}"
    engine = engine_at(path)
    assert settings_of(engine)["engine"] == path
    adapter_of(engine)  # it can still be asked


def test_a_service_carries_its_url_and_what_is_read_of_its_replies_and_no_key() -> None:
    fields = {"response": "$.answer"}
    body = {"q": "{question}", "api_key": "hunter2"}
    engine = HttpEngine("https://host/ask?key=hunter3", fields=fields, body=body)
    settings = settings_of(engine)
    assert (settings["engine"], settings["fields"]) == ("https://host/ask", fields)
    assert "hunter" not in str(settings)
    other = HttpEngine("https://host/ask", fields=fields, body=body | {"k": 5})
    assert settings_of(other) != settings
    assert settings_of(HttpEngine("https://host/ask", fields=fields, body=body)) == settings


def test_a_function_that_takes_a_question_is_an_engine() -> None:
    engine = engine_at("some_app:ask")
    assert callable(engine)
    assert engine("q") == "q"


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("some_app", "expected 'module:attribute'"),
        (":x", "expected 'module:attribute'"),
        ("no_app:x", "no module 'no_app' in"),
        ("no_app.inner:x", r"no module 'no_app\.inner' in"),
        ("needy_app:x", "module 'needy_app' needs 'a_package_nobody_has', which is missing"),
        ("broken_app:x", "'broken_app' could not be imported: ZeroDivisionError"),
        ("some_app:engine", "module 'some_app' has no 'engine'; it has .*retriever"),
        ("some_app:number", "'some_app:number' is a int; expected a query engine"),
        ("some_app:make_number", "makes a int"),
        ("some_app:make_nothing", "could not make an engine: OSError: no index"),
    ],
)
def test_says_why_a_place_holds_no_engine(place: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        engine_at(place)
