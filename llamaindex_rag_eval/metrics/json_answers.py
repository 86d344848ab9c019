"""JSON answers: is the response JSON, of the right shape, and equal to the reference?

Source: LangChain's `json_validity`, `json_schema_validation` and `json_equality` evaluators;
JSON Schema, https://json-schema.org/draft/2020-12.
"""

import json
from collections.abc import Mapping

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample, setting


class JsonValid(Metric):
    """JSON validity: is the response JSON, and of the right shape?

        json_valid = 1 if the response is JSON, and fits the schema if there is one, else 0

    0 or 1, higher is better. `NaN` and `Infinity` are no JSON. No judge is asked.

    Limitations: Without a schema any JSON value passes, as `3`; with one, the shape is checked and
    not whether the values are true. A block fenced by backticks is no JSON.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        schema: A JSON Schema.
        threshold: From which value on a result passes.

    Raises:
        InputError: The schema is no JSON Schema.
    """

    name = "json_valid"
    needs = frozenset({"response"})

    schema: Mapping[str, object] | None = setting(
        default=None, valid=lambda schema: _is_schema(schema)
    )

    async def measure(self, sample: SingleTurnSample) -> Score:
        try:
            value = _read(sample.response)
        except ValueError as error:
            return Score(0.0, note=f"It is no JSON: {error}.")
        fault = None if self.schema is None else _fault(value, self.schema)
        return Score(0.0, note=f"It does not fit the schema: {fault}.") if fault else Score(1.0)


class JsonMatch(Metric):
    """JSON match: do response and reference hold the same data?

        json_match = 1 if both are JSON and equal, else 0

    0 or 1, higher is better. White space and the order of keys do not count. No judge is asked.

    Limitations: One value that differs makes it 0, also `1` for `1.0`, another order in a list, or
    a fence of backticks around the data.
    """

    name = "json_match"
    needs = frozenset({"response", "reference"})
    undefined = "The reference is no JSON."

    async def measure(self, sample: SingleTurnSample) -> Score:
        try:
            wanted = _canonical(sample.reference)
        except ValueError:
            return Score(None)
        try:
            return Score(float(_canonical(sample.response) == wanted))
        except ValueError as error:
            return Score(0.0, note=f"It is no JSON: {error}.")


def _read(text: str) -> object:
    """Return the data of a JSON text; raise `ValueError` if it is not JSON."""
    try:
        value: object = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not a JSON value")


def _canonical(text: str) -> str:
    """Return the data as text in which `1` and `true` differ, as they do in JSON."""
    return json.dumps(_read(text), sort_keys=True)


def _is_schema(schema: Mapping[str, object]) -> bool:
    from jsonschema import SchemaError
    from jsonschema.validators import validator_for

    try:
        validator_for(dict(schema)).check_schema(dict(schema))
    except SchemaError as error:
        raise InputError(f"{schema!r} is no JSON Schema: {error.message}") from None
    return True


def _fault(value: object, schema: Mapping[str, object]) -> str | None:
    """Return how a value breaks the schema, `None` if it does not."""
    from jsonschema.exceptions import best_match
    from jsonschema.validators import validator_for

    plain = dict(schema)
    validator = validator_for(plain)(plain)
    error = best_match(validator.iter_errors(value))  # type: ignore[arg-type]  # it was JSON
    return None if error is None else str(error.message)
