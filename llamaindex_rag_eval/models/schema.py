"""JSON schemas of replies: strict, as structured output wants them, and bounded by a request."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a model as strict structured output wants it.

    Every object lists all its properties as required and allows no other; titles and defaults,
    which cost tokens and say nothing, are left out, and the models inside stand where they are
    used. No model may hold itself.
    """
    schema = model.model_json_schema()
    strict = _strict(schema, schema.pop("$defs", {}))
    assert isinstance(strict, dict)  # noqa: S101 - a schema is an object; narrows the type
    return strict


def _strict(node: object, models: Mapping[str, object]) -> object:
    if isinstance(node, list):
        return [_strict(entry, models) for entry in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("$ref"), str):
        return _strict(models[node["$ref"].removeprefix("#/$defs/")], models)
    kept = {k: _strict(v, models) for k, v in node.items() if k not in ("title", "default")}
    if isinstance(node.get("properties"), dict):
        kept["properties"] = {k: _strict(v, models) for k, v in node["properties"].items()}
        kept["required"] = list(node["properties"])
        kept["additionalProperties"] = False
        kept.pop("description", None)  # the docstring is for people; the instruction says it
    return kept


def bounded_schema(
    schema: Mapping[str, Any], bounds: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a strict schema with further keywords for some of its properties, by their names.

    Keywords are put beside those of the property, those of its items likewise. `prefixItems`, a
    list of keywords for each place, stands for a list of just that many items.

    Example:
        >>> schema = {"properties": {"ids": {"type": "array", "items": {"type": "integer"}}}}
        >>> bounded_schema(schema, {"ids": {"maxItems": 2, "items": {"enum": [1, 2]}}})
        {'properties': {'ids': {'type': 'array', 'items': {'type': 'integer', 'enum': [1, 2]}, \
'maxItems': 2}}}
    """
    bounded = _bounded(schema, bounds)
    assert isinstance(bounded, dict)  # noqa: S101 - a schema is an object; narrows the type
    return bounded


def _bounded(node: object, bounds: Mapping[str, Mapping[str, Any]]) -> object:
    if isinstance(node, list):
        return [_bounded(entry, bounds) for entry in node]
    if not isinstance(node, Mapping):
        return node
    kept: dict[str, Any] = {key: _bounded(value, bounds) for key, value in node.items()}
    if isinstance(kept.get("properties"), dict):
        known = kept["properties"]
        kept["properties"] = {k: _merged(v, bounds.get(k, {})) for k, v in known.items()}
    return kept


def _merged(node: Mapping[str, Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(node)
    for key, value in keywords.items():
        if key == "prefixItems":
            item = merged.pop("items")
            merged |= {key: [_merged(item, entry) for entry in value]}
            merged |= {"minItems": len(value), "maxItems": len(value)}
        else:
            inside = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
            merged[key] = _merged(merged[key], value) if inside else value
    return merged
