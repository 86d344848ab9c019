"""Let the reader of the code see that an `Example:` is code, and `synced(arun)` a function."""

import re
from copy import copy
from typing import Any

import griffe


class Examples(griffe.Extension):
    """Reads `Example:` as the section `Examples:`, and what `synced` makes as a function."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rename the section of a docstring."""
        if obj.docstring is not None:
            value = obj.docstring.value
            obj.docstring.value = re.sub(r"^( *)Example:$", r"\1Examples:", value, flags=re.M)

    def on_members(self, *, obj: griffe.Object, **_: Any) -> None:
        """Give `run = synced(arun)` the signature and the docstring of `arun`."""
        for name, one in list(obj.members.items()):
            if isinstance(one, griffe.Attribute) and str(one.value) == f"synced(a{name})":
                obj.set_member(name, _synced(obj.members[f"a{name}"], name))


def _synced(function: Any, name: str) -> Any:
    """Return a coroutine function, and each overload of it, as an ordinary one of this name."""
    twin = copy(function)
    twin.name, twin.labels = name, twin.labels - {"async"}
    twin.overloads = [_synced(overload, name) for overload in function.overloads or ()]
    return twin
