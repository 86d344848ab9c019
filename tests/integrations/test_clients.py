"""What keeps a tool from being reached is said in one line."""

import pytest

from llamaindex_rag_eval.errors import InputError, OutputError
from llamaindex_rag_eval.integrations import tool
from llamaindex_rag_eval.integrations.mlflow import MLflow
from llamaindex_rag_eval.integrations.phoenix import Phoenix

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # those of the clients and what they import
    pytest.mark.parametrize("client", [MLflow, Phoenix]),
]

NOWHERE = "http://127.0.0.1:9"


def test_a_server_that_is_away_is_named_at_once(client: type[MLflow | Phoenix]) -> None:
    with pytest.raises(OutputError, match=f"{client.__name__} does not answer at {NOWHERE}, "):
        client(NOWHERE)


def test_without_its_package_the_extra_is_named(
    client: type[MLflow | Phoenix], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(tool, "import_module", missing)
    extra = client.__name__.lower()
    with pytest.raises(InputError, match=rf"pip install 'llamaindex-rag-eval\[{extra}\]'"):
        client(NOWHERE)
