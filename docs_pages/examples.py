"""Let the reader of docstrings see that an `Example:` is code, not prose."""

import re
from typing import Any

import griffe

__all__ = ["Examples"]


class Examples(griffe.Extension):
    """Reads `Example:` as the section that it calls `Examples:`."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rename the section of a docstring."""
        if obj.docstring is not None:
            value = obj.docstring.value
            obj.docstring.value = re.sub(r"^( *)Example:$", r"\1Examples:", value, flags=re.M)
