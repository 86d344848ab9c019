"""JSON paths: what stands at a place of a JSON document.

The part of RFC 9535 that names places: `$`, `.name`, `['any name']`, `[0]`, `[-1]`, `[*]`, `.*`.
Filters, slices and `..` are refused.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from llamaindex_rag_eval.errors import InputError

STEP = re.compile(
    r"""\.(?P<name>[^\s.\[\]*'"$@?()]+) | \[(?P<index>-?\d+)\] | (?P<all>\.\*|\[\*\])
    | \['(?P<single>[^']+)'\] | \["(?P<double>[^"]+)"\]""",
    re.VERBOSE,
)


class JsonPath:
    """A path that finds values in JSON documents.

    Args:
        text: The path, as `$.sources[*].text`.

    Raises:
        InputError: It is no such path.

    Example:
        >>> path = JsonPath("$.sources[*].text")
        >>> path.find({"sources": [{"text": "a"}, {"page": 2}, {"text": "b"}]})
        ['a', 'b']
        >>> JsonPath("$['the answer']").find({})
        []
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._steps: list[str | int | None] = []
        position = 1
        while position < len(text) or not text.startswith("$"):
            step = STEP.match(text, position) if text.startswith("$") else None
            if step is None:
                raise InputError(
                    f"{text!r} is no JSON path: expected '$' and then '.name', '[0]', '[*]' or "
                    "['any name'], as '$.sources[*].text'"
                )
            named = step["name"] or step["single"] or step["double"]
            self._steps.append(int(step["index"]) if step["index"] else named)
            position = step.end()

    def __repr__(self) -> str:
        return f"JsonPath({self.text!r})"

    def find(self, document: Any) -> list[Any]:
        """Return the values at the path, in their order; empty if there are none."""
        values = [document]
        for step in self._steps:
            values = [value for parent in values for value in _children(parent, step)]
        return values


def _children(parent: Any, step: str | int | None) -> Sequence[Any]:
    if isinstance(parent, Mapping):
        if step is None:
            return list(parent.values())
        return [parent[step]] if step in parent else []
    if isinstance(parent, list | tuple):
        if step is None:
            return parent
        if isinstance(step, int) and -len(parent) <= step < len(parent):
            return [parent[step]]
    return []
