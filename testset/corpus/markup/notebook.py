"""A Jupyter notebook as Markdown: its texts, and its code without what it printed."""

import json
from pathlib import Path


def notebook_as_markdown(path: Path) -> str:
    """Return the text of a notebook; raises where it is none."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    language = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "python")
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"]).strip("\n")
        fenced = f"```{language}\n{text}\n```"
        parts.append(fenced if cell["cell_type"] == "code" and text else text)
    return "\n\n".join(filter(None, parts)) + "\n"
