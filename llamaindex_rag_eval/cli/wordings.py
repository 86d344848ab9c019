"""Wordings: what changes where questions are asked in other words, for the terminal and as data."""

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer


def print_wordings(run: "rag.Run") -> "dict[str, library.JsonValue]":
    """Print what each kind of wording changes; return it as data, empty without variants."""
    effects = library.wording_effects(run)
    if not effects:
        return {}
    rows = [
        (
            effect.kind.replace("_", " "),
            effect.questions,
            library.number(effect.flips.value),
            library.interval(effect.flips.low, effect.flips.high),
            library.signed(effect.change.value),
            library.interval(effect.change.low, effect.change.high, sign=True),
            library.number(effect.overlap.value),
        )
        for effect in effects
    ]
    heads = ("questions", "flips", "interval", "change", "interval ", "same contexts")
    title = f"As people ask, against the questions as they are written ({effects[0].metric})"
    notes = list(filter(None, [library.worst_wording(effects)]))
    table = library.text_table(title, ["wording"], heads, rows=rows, notes=notes, whole=heads[1:5])
    printer.show(table)
    return {"wordings": [effect.as_json() for effect in effects]}
