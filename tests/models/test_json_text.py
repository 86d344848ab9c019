import json

import pytest
from hypothesis import given, settings, strategies as st

from llamaindex_rag_eval.models.lenient import json_values

LEAVES = st.none() | st.booleans() | st.integers() | st.text()
OBJECTS = st.dictionaries(
    st.text(),
    st.recursive(
        LEAVES, lambda x: st.lists(x) | st.dictionaries(st.text(), x, max_size=3), max_leaves=8
    ),
    max_size=4,
)


def json_in(text: str) -> object:
    """Return the only value of a text."""
    (found,) = json_values(text)
    return found.value


PROSE = st.text(st.characters(exclude_characters="{}`<>", exclude_categories=["Cs"]))


@settings(max_examples=25, deadline=None)
@given(OBJECTS, PROSE, PROSE)
def test_prose_around_an_object_is_passed_over(value: object, before: str, after: str) -> None:
    assert json_in(f"{before}{json.dumps(value)}{after}") == value


@settings(max_examples=25, deadline=None)
@given(OBJECTS, st.sampled_from(["json", "JSON", ""]))
def test_a_code_fence_is_passed_over(value: object, language: str) -> None:
    assert json_in(f"Here:\n```{language}\n{json.dumps(value, indent=1)}\n```\n") == value


@settings(max_examples=25, deadline=None)
@given(OBJECTS.filter(bool))
def test_every_truncation_is_an_error(value: object) -> None:
    text = json.dumps(value)
    for end in range(len(text)):
        with pytest.raises(ValueError, match=r"."):
            json_in(text[:end])


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_an_object_or_an_error(text: str) -> None:
    try:
        found = json_in(text)
    except ValueError:
        return
    assert isinstance(found, dict)


@settings(max_examples=25, deadline=None)
@given(st.text(), st.lists(st.integers(), min_size=1, max_size=3))
def test_trailing_commas_are_forgiven_outside_of_strings(text: str, numbers: list[int]) -> None:
    inside = json.dumps(text + ",}" + text + ",]")
    written = f'{{"a": {inside}, "b": {str(numbers)[:-1]}, ], }}'
    assert json_in(written) == {"a": json.loads(inside), "b": numbers}


def test_braces_and_fences_in_strings_are_text() -> None:
    value = {"quote": 'use {"a": 1}, ```json {"b": 2}``` or }}{{', "n": 1}
    assert json_in(f"```json\n{json.dumps(value)}\n```") == value


def test_a_truncated_list_of_objects_is_not_its_first_entry() -> None:
    with pytest.raises(ValueError, match="delimiter"):
        json_in('{"verdicts": [{"claim": 1, "verdict": "supported"}, {"claim": 2')


def test_a_brace_of_prose_is_not_the_object() -> None:
    assert json_in('As {you asked}: {"a": 1}') == {"a": 1}


def test_a_draft_among_thoughts_is_not_the_reply() -> None:
    said = '<think>Perhaps {"verdict": true}? {no</think>\n{"verdict": false}'
    assert json_in(said) == {"verdict": False}


@pytest.mark.parametrize(
    "text",
    ["", "no", "[1, 2]", "null", '{"a": NaN}', '{"a": Infinity}', '{"a": 1', "{", "{{{"],
)
def test_what_holds_no_whole_object_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_in(text)


@pytest.mark.parametrize("text", ['{"a":' * 100_000, "[" * 100_000, "{" * 200_000, '"{a}' * 50_000])
def test_hostile_nesting_is_an_error_and_does_not_take_for_ever(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_in(text)


def test_a_key_twice_with_two_values_is_an_error_and_with_one_is_not() -> None:
    assert json_in('{"verdict": true, "verdict": true}') == {"verdict": True}
    with pytest.raises(ValueError, match="'verdict' comes twice"):
        json_in('{"verdict": true, "verdict": false}')


def test_a_raw_newline_in_a_string_is_part_of_it() -> None:
    assert json_in('{"reason": "one\ntwo"}') == {"reason": "one\ntwo"}


def test_lists_are_found_where_asked_for_and_citations_are_not() -> None:
    said = 'See [1] and [see]: [{"a": [2]}] and {"b": [{}]}'
    values = [found.value for found in json_values(said, lists=True)]
    assert values == [[{"a": [2]}], {"b": [{}]}]


def test_each_value_comes_with_what_leads_to_it() -> None:
    first, second, third = json_values('Draft {"a": 1}\n```json\n{"a": 2}\n```\nor {"a": 3}')
    assert (first.lead, first.fenced) == ("Draft ", False)
    assert second.fenced
    assert not third.fenced


def test_a_hundred_values_are_too_many_to_choose_from() -> None:
    with pytest.raises(ValueError, match="more than 100 JSON values"):
        json_values("{} " * 200_000)
