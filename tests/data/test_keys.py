import pytest

from llamaindex_rag_eval.data.keys import without_keys, without_secrets
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.metrics.result import Result

ODD = "org-9f8e7d6c5b4a39281706"
AFTER = "abcdefghijk"

KEYS = (
    "sk-test-0123456789abcdefghij",
    "sk-proj-abcdefghijk",
    "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "github_pat_11ABCDEFG0123456789_abcdef",
    "glpat-abcdefghij0123456789",
    "xoxb-1234567890-abcdefghij",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA0123456789abcdefghijklmnopqrstuv",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
)


@pytest.mark.parametrize("key", KEYS)
def test_what_looks_like_a_key_is_masked(key: str) -> None:
    assert without_keys(f"refused: {key}, try another") == "refused: [key], try another"
    assert without_keys({"a": [f"({key})", 1, None]}) == {"a": ["([key])", 1, None]}


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abcdefghijk.lmn",
        "authorization: Basic abcdefghijk",
        "'Authorization': 'abcdefghijk'",
        "api_key='abcdefghijk'",
        '"apiKey": "abcdefghijk"',
        "postgresql://me:abcdefghijk@host/runs cannot be opened",
        "redis://:abcdefghijk@host",
    ],
)
def test_what_stands_where_a_key_does_is_masked_once(text: str) -> None:
    masked = without_keys(text)
    assert "[key]" in masked
    assert AFTER not in masked
    assert without_keys(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        "Texts in sk-SK are read by sk-learn.",
        "The holder of bearer securities. And so on.",
        "http://host:8080/a?user=a@b.example and postgresql://me:***@db",
        "The task-based hf_hub of 12345678 tokens",
    ],
)
def test_what_is_no_key_stays(text: str) -> None:
    assert without_keys(text) == text


def test_a_known_key_is_masked_whatever_it_looks_like() -> None:
    assert without_keys(f"bad key {ODD}!", ODD) == "bad key [key]!"
    assert without_keys("none of them", "none") == "none of them"  # what local servers are sent


@pytest.mark.parametrize("name", ["APP_KEY", "app_token", "DB_PASSWORD", "CLIENT_SECRET", "APIKEY"])
def test_secrets_of_the_environment_are_masked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, ODD)
    assert without_keys(f"refused {ODD}") == "refused [key]"
    assert without_secrets([f"{ODD}/{ODD}", 3]) == ["[key]/[key]", 3]


def test_neither_words_nor_other_variables_are_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "placeholder")  # as local servers are given
    monkeypatch.setenv("KEYBOARD_MODEL", ODD)
    monkeypatch.setenv("SHORT_TOKEN", "1234567")
    text = f"A placeholder of {ODD} is 1234567 long"
    assert without_keys(text) == text


def test_the_content_of_documents_keeps_what_looks_like_a_key() -> None:
    assert without_secrets(KEYS[0]) == KEYS[0]


def test_an_error_holds_no_key_however_it_comes() -> None:
    error = f"ValueError: no account for {KEYS[0]}"
    sample = SingleTurnSample.model_validate({"id": "a", "query": "q", "error": error})
    assert sample.error == "ValueError: no account for [key]"
    result = Result.from_error("m", sample, ValueError(KEYS[1]))
    assert KEYS[1] not in result.model_dump_json()
    assert result.reason == "ValueError: [key]"
    stored = {"status": "failed", "feedback": KEYS[2], "evidence": {"reply": KEYS[3]}}
    assert Result.model_validate(stored).feedback == "[key]"
    assert Result.model_validate(stored).evidence == {"reply": "[key]"}
