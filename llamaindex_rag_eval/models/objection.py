"""What speaks against a reply that keeps to its form: it cannot be meant as it is written.

A placeholder in place of a text, a quote that stands in no text shown, a reason that is the word of
another verdict. What the input itself says is never objected to.
"""

import re
from typing import get_args

from pydantic import BaseModel

from llamaindex_rag_eval.models.echo import texts_in, words_in
from llamaindex_rag_eval.models.lenient import AROUND, FLAGS, OPTIONAL, alike

_THING = "(?:claim|statement|fact|entity|entitie|question|reason|word)s?"
PLACEHOLDER = re.compile(
    rf"(?=.*(?:\.\.|…))\W+|\W*(?:string|placeholder|{_THING}\W*\d+)\W*|<.+>|[\[{{](?:insert|your)\b.+",
    re.IGNORECASE,
)
NO_ENTRY = re.compile(
    r"\W*(?:none|null|n/?a)\W*|(?:(?:there are|the text \w+) )?no (?:\w+ )?"
    rf"{_THING}\b.{{0,40}}|i(?:['’]m| am) (?:sorry|unable)\b.*",
    re.IGNORECASE,
)
"""What is written into a list of texts that should be empty."""

QUOTED = re.compile(r'["“”„«]([^"“”„«»]+)["“”»]')

NO = ("not useful", "nothing", "nichts", "なし", "无")
SAYS = {**FLAGS, "useful": True, **dict.fromkeys(NO, False)}
"""Reasons that are verdicts: the prompts ask for "nothing" where a context is not useful."""


def objection_to(output: BaseModel, given: BaseModel, instruction: str) -> str:
    """Return what speaks against an output, for a model to act on; "" if nothing does."""
    shown = "\n".join(text for *_, text in texts_in(given))
    here = words_in(shown)
    for model, name, text in texts_in(output):
        listed = isinstance(getattr(model, name), tuple) and name not in OPTIONAL
        hollow = PLACEHOLDER.fullmatch(text) or (listed and NO_ENTRY.fullmatch(text))
        there = text in shown or f" {' '.join(words_in(text))} " in f" {' '.join(here)} "
        if hollow and not there:
            return f"{text!r} stands in place of a text; where there is none, leave it out"
        bare, explains = text.strip(AROUND), name in OPTIONAL
        for field, info in type(model).model_fields.items() if explains else ():
            kind = info.annotation
            meant = SAYS.get(bare.lower()) if kind is bool else alike(bare, get_args(kind))
            if meant not in (None, getattr(model, field)):
                return f"the reason {text!r} is another {field!r}"
        for quote in QUOTED.findall(text) if explains else ():
            quoted = {*words_in(quote)}
            lacking = quoted.difference(here, words_in(instruction))
            if len(quoted) > 1 and 2 * len(lacking) >= len(quoted):
                return f"{quote!r} is quoted, and stands in no text shown"
    return ""
