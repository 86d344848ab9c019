import pytest

from llamaindex_rag_eval.decisions.sweep_settings import Setting, settings_of
from llamaindex_rag_eval.errors import EngineError, InputError
from tests.decisions.engines import fails, make


def test_a_grid_is_every_combination_in_order() -> None:
    found = settings_of({"rate": [0.1, 0.2], "twin": ["a", "b"]}, make)
    assert [one.name for one in found] == [
        "rate=0.1 twin=a",
        "rate=0.1 twin=b",
        "rate=0.2 twin=a",
        "rate=0.2 twin=b",
    ]
    assert found[1].parameters == {"rate": 0.1, "twin": "b"}


def test_a_list_holds_parameters_and_settings_of_other_factories() -> None:
    own = Setting("mine", fails, {"rate": 1.0})
    found = settings_of([{"rate": 0.1}, own], make, label="made")
    assert [one.name for one in found] == ["made rate=0.1", "mine"]
    assert found[1].factory is fails


def test_files_are_the_same_in_a_larger_grid_and_others_for_another_value() -> None:
    small = settings_of({"rate": [0.1]}, make)
    large = settings_of({"rate": [0.5, 0.1]}, make)
    assert small[0].file_name == large[1].file_name
    assert Setting("x", make, {"rate": 1}).file_name != Setting("x", make, {"rate": 2}).file_name
    assert "/" not in Setting("../x", make).file_name


def test_what_makes_no_engine_is_named() -> None:
    with pytest.raises(EngineError, match="'fails' could not make an engine: RuntimeError: no ind"):
        Setting("x", fails, {"when": "made"}).engine()
    with pytest.raises(EngineError, match="'app:five' makes a int"):
        Setting("x", lambda: 5, place="app:five").engine()  # type: ignore[arg-type, return-value]  # on purpose


def test_wrong_grids_are_refused() -> None:
    with pytest.raises(InputError, match="a setting or more"):
        settings_of([], make)
    with pytest.raises(InputError, match="a value of 'rate'"):
        settings_of({"rate": []}, make)
    with pytest.raises(InputError, match="two settings are named 'rate=1'"):
        settings_of([{"rate": 1}, {"rate": 1}], make)
    with pytest.raises(InputError, match="'rate=1' has no function"):
        settings_of([{"rate": 1}])
