"""The generic responder: fill a JSON schema with values drawn from a seed."""

from random import Random
from typing import Any

from tests.server.responder import JsonObject

# Deeper than this, a recursive schema is closed: no optional field, the shortest list.
CLOSING_DEPTH = 6

WORDS = ("amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "haven", "islet", "jetty")


def fill(schema: JsonObject, seed: int) -> Any:
    """Return a value that the schema admits; the same seed gives the same value.

    Honours `$ref`, `const`, `enum`, `anyOf`, `oneOf`, `allOf`, `required`, `prefixItems`, and the
    bounds of numbers, strings and lists. Patterns and formats of strings are not honoured.
    """
    return _Filler(schema, seed).value(schema, 0)


def sentence(seed: int) -> str:
    """Return a short plain answer; the same seed gives the same one."""
    random = Random(seed)
    return f"The {random.choice(WORDS)} lies by the {random.choice(WORDS)}."


class _Filler:
    def __init__(self, root: JsonObject, seed: int) -> None:
        self._root = root
        self._random = Random(seed)

    def value(self, schema: JsonObject, depth: int) -> Any:
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._random.choice(schema["enum"])
        options = schema.get("anyOf") or schema.get("oneOf")
        if options:
            return self.value(self._option(options, depth), depth + 1)
        return self._typed(schema, depth)

    def _resolved(self, schema: JsonObject) -> JsonObject:
        while "$ref" in schema:
            target: Any = self._root
            for step in schema["$ref"].removeprefix("#").strip("/").split("/"):
                target = target[step] if step else target
            schema = target
        for part in schema.get("allOf", ()):
            schema = {**self._resolved(part), **schema}
        return schema

    def _option(self, options: list[JsonObject], depth: int) -> JsonObject:
        if depth >= CLOSING_DEPTH:
            leaves = [option for option in options if option.get("type") not in (None, "array")]
            options = [option for option in leaves if option["type"] == "null"] or leaves or options
        return self._random.choice(options)

    def _typed(self, schema: JsonObject, depth: int) -> Any:
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = (
                "null" if "null" in kind and depth >= CLOSING_DEPTH else self._random.choice(kind)
            )
        match kind:
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(schema, depth)
            case "integer":
                return self._integer(schema)
            case "number":
                return self._number(schema)
            case "boolean":
                return self._random.random() < 0.5
            case "null":
                return None
        return self._string(schema)

    def _object(self, schema: JsonObject, depth: int) -> JsonObject:
        required = set(schema.get("required", ()))
        return {
            name: self.value(part, depth + 1)
            for name, part in schema.get("properties", {}).items()
            if name in required or (depth < CLOSING_DEPTH and self._random.random() < 0.5)
        }

    def _array(self, schema: JsonObject, depth: int) -> list[Any]:
        first = [self.value(part, depth + 1) for part in schema.get("prefixItems", ())]
        least = schema.get("minItems", 0)
        wanted = least
        if depth < CLOSING_DEPTH:
            wanted = self._random.randint(max(1, least), max(3, least))
        wanted = min(wanted, schema.get("maxItems", wanted))
        items = schema.get("items") or {}
        return first + [self.value(items, depth + 1) for _ in range(wanted - len(first))]

    def _integer(self, schema: JsonObject) -> int:
        low = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
        high = schema.get("maximum", schema.get("exclusiveMaximum", low + 10) - 1)
        return self._random.randint(min(low, high), high)

    def _number(self, schema: JsonObject) -> float:
        low = next(
            (schema[name] for name in ("minimum", "exclusiveMinimum") if name in schema), 0.0
        )
        high = next(
            (schema[name] for name in ("maximum", "exclusiveMaximum") if name in schema), low + 1
        )
        # Inner points only, so that exclusive bounds hold too.
        return float(low + (high - low) * self._random.randint(1, 99) / 100)

    def _string(self, schema: JsonObject) -> str:
        text = f"{self._random.choice(WORDS)} {self._random.choice(WORDS)}"
        text = text.ljust(schema.get("minLength", 0), "a")
        return text[: schema.get("maxLength", len(text))]
