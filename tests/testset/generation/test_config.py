"""What cannot be asked for is refused before anything is read or written."""

import pytest

from llamaindex_rag_eval.errors import InputError
from testset.generation.config import GenerationConfig


def test_a_size_of_nothing_is_refused():
    with pytest.raises(InputError, match="size"):
        GenerationConfig(size=0)


def test_unknown_types_and_styles_and_empty_shares_are_refused():
    with pytest.raises(InputError, match="riddle"):
        GenerationConfig(types=["riddle"])  # type: ignore[list-item]  # what is refused
    with pytest.raises(InputError, match="at least one"):
        GenerationConfig(types=[])
    with pytest.raises(InputError, match="above 0"):
        GenerationConfig(types={"single_hop": 0})
    with pytest.raises(InputError, match="rude"):
        GenerationConfig(styles=["rude"])
    with pytest.raises(InputError, match="above 0"):
        GenerationConfig(styles={"chat": 0})


def test_types_and_styles_without_shares_are_equally_frequent():
    config = GenerationConfig(types=["table", "double"], styles=["chat", "formal"])
    assert config.type_shares == {"table": 1.0, "double": 1.0}
    assert config.style_shares == {"chat": 1.0, "formal": 1.0}


def test_a_language_that_is_no_code_is_refused():
    with pytest.raises(InputError, match="code of a language, as 'en', got 'klingon'"):
        GenerationConfig(language="klingon")
