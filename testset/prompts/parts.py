"""What the writing prompts share: the wire models, and the rules that hold for every type."""

from typing import Literal

from llamaindex_rag_eval.judge.prompts.parts import Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["FactWire", "TurnWire", "WriteInput", "WriteOutput", "writing"]

COMMON = """\
Write one question that a real person would ask, and its right answer, from `facts`.
{task}
Rules for every question:
- It stands alone: whoever reads it has no document at hand. Name things; never write "the text", "this table", "the author" or "above".
- It does not hold its own answer, has no preamble and no number, and is one line.
- The answer follows from the facts used, and from nothing else. Keep numbers, dates and names as they stand. `answer_facts` are its statements one by one, each complete in itself.
- `used` lists the ids of exactly the facts that are needed. `history` is empty unless a conversation is asked for.
- Ask as `persona` would, if given. style: web_search = a few key words; misspelt = a slip or two in plain words, never in names; formal; chat = casual; plain otherwise. length: short = up to 8 words, medium, long = 16 or more.
- Write question and answer in `language`. `examples` show the manner that is liked, not what to ask. Do not ask again what `avoid` asks."""
"""The frame of every writing prompt; `{task}` is what the type demands."""


class FactWire(Wire):
    """A fact with its number, from 1, and the document it stands in."""

    id: int
    fact: str
    document: str = ""


class TurnWire(Wire):
    """One earlier exchange of a conversation."""

    question: str
    answer: str


class WriteInput(Wire):
    """What a question is made of, and how it should sound."""

    facts: tuple[FactWire, ...]
    language: str
    kind: str = ""
    persona: str = ""
    style: str = "plain"
    length: Literal["short", "medium", "long"] = "medium"
    aside: str = ""
    examples: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()


class WriteOutput(Wire):
    """The question, its answer, and what both stand on."""

    used: tuple[int, ...]
    history: tuple[TurnWire, ...]
    question: str
    answer: str
    answer_facts: tuple[str, ...]


def writing(
    name: str, task: str, *examples: tuple[WriteInput, WriteOutput]
) -> Prompt[WriteInput, WriteOutput]:
    """Return the prompt of one question type: the common rules around its own task."""
    return Prompt[WriteInput, WriteOutput](
        name=f"write_{name}",
        instruction=COMMON.format(task=task.strip()),
        input=WriteInput,
        output=WriteOutput,
        examples=tuple(Example(input=given, output=wanted) for given, wanted in examples),
    )
