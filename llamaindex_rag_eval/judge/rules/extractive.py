"""A language model for LlamaIndex that answers with sentences of the contexts.

It lets examples, tests and the default engines run without a key and without a network.
"""

import re
from collections.abc import Sequence

from llama_index.core.base.llms.types import (
    CompletionResponse,
    CompletionResponseGen,
    LLMMetadata,
)
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.llms.custom import CustomLLM

from llamaindex_rag_eval.judge.rules.profile import content_share, profile_of
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.tokens import language_of
from llamaindex_rag_eval.judge.rules.vocabulary import by_language

NO_ANSWER: dict[str, str] = by_language("no_answer")
_LEAST_SHARE = 0.4
"""Share of the question's words below which no sentence is taken for an answer."""
_PASSAGE_WEIGHT = 0.25
"""How much the rest of a passage counts beside the sentence itself."""

_HEADING_WEIGHT = 0.8
"""What it counts that a word of the question stands above a sentence and not in it."""
_SECTION = re.compile(r"section: (?P<headings>.*)(?:\n|\Z)")

_LINE = r"\n-{6,}\n"
_QA = re.compile(
    rf"{_LINE}(?P<context>.*){_LINE}.*?\n(?:Query|user):\s*(?P<query>.*?)\n"
    r"(?:Answer:\s*)?(?:\n?assistant:\s*)?\Z",
    re.DOTALL,
)
_REFINE = re.compile(
    r"The original query is as follows:\s*(?P<query>.*?)\n"
    r"We have provided an existing answer:\s*(?P<answer>.*?)\n"
    rf"We have the opportunity.*?{_LINE}(?P<context>.*){_LINE}Given the new context",
    re.DOTALL,
)
_CHAT_REFINE = re.compile(
    r"New Context:\s*(?P<context>.*)\nQuery:\s*(?P<query>.*?)\nOriginal Answer:\s*(?P<answer>.*?)\n"
    r"New Answer:",
    re.DOTALL,
)
_FOLLOW_UP = re.compile(r"<Follow Up Message>\s*(?P<query>.*?)\s*<Standalone question>", re.DOTALL)
_METADATA = re.compile(r"^(?!section: )[a-z_]{2,30}: .*$", re.MULTILINE)


class ExtractiveLLM(CustomLLM):
    """Answer a query engine's prompt with the sentences of its contexts that fit the query best.

    It reads LlamaIndex's own prompts for answering, refining and chatting over contexts, takes a
    sentence word for word, or says that the context does not answer. A follow-up question it
    repeats. To any other prompt it says that the context does not answer: it follows no
    instructions, and what a context orders is text like any other.
    """

    context_window: int = 32_768

    @classmethod
    def class_name(cls) -> str:
        """Return the name that LlamaIndex stores."""
        return "ExtractiveLLM"

    @property
    def metadata(self) -> LLMMetadata:
        """Return what it is: no chat model, no functions, 256 tokens of output."""
        return LLMMetadata(
            context_window=self.context_window,
            num_output=256,
            is_chat_model=False,
            is_function_calling_model=False,
            model_name="extractive-rules",
        )

    @llm_completion_callback()
    def complete(
        self, prompt: str, formatted: bool = False, **kwargs: object
    ) -> CompletionResponse:
        """Return the answer to a prompt."""
        del formatted, kwargs
        return CompletionResponse(text=_answer(prompt))

    @llm_completion_callback()
    def stream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: object
    ) -> CompletionResponseGen:
        """Yield the answer in one piece."""
        del formatted, kwargs
        text = _answer(prompt)

        def pieces() -> CompletionResponseGen:
            yield CompletionResponse(text=text, delta=text)

        return pieces()


def _answer(prompt: str) -> str:
    refine = _REFINE.search(prompt) or _CHAT_REFINE.search(prompt)
    if refine:
        return _better_answer(refine["query"].strip(), refine["answer"].strip(), refine["context"])
    match = _QA.search(prompt)
    if match is None:
        follow_up = _FOLLOW_UP.search(prompt)
        return follow_up["query"] if follow_up else NO_ANSWER["en"]
    query = match["query"].strip()
    answer, _ = best_answer(query, _passages(match["context"]))
    return answer or NO_ANSWER.get(language_of(query), NO_ANSWER["en"])


def _better_answer(query: str, existing: str, context: str) -> str:
    """Return the better one: the answer there is, or the one that the new context gives."""
    answer, grade = best_answer(query, _passages(context))
    if existing in NO_ANSWER.values():
        return answer or existing
    _, before = best_answer(query, [existing])
    return answer if answer and grade > before else existing


def _passages(context: str) -> Sequence[str]:
    """Return the paragraphs of a context, each behind the headings that its node has as metadata."""
    passages, section = [], ""
    for part in _METADATA.sub("", context).split("\n\n"):
        if _SECTION.fullmatch(part):
            section = f"{part}\n"
        elif part.strip():
            passages.append(section + part)
    return passages


def best_answer(question: str, passages: Sequence[str]) -> tuple[str, float]:
    """Return the sentence that answers a question best, and how well in [0, 1].

    Args:
        question: The question.
        passages: Texts; one may begin with a line "section: …", the headings above it.

    Returns:
        The sentence word for word; "" if none has enough of the question's words.

    Example:
        >>> best_answer("Who built the lock?", ["Tea is green. Ito built the lock."])
        ('Ito built the lock.', 1.0)
    """
    wanted = profile_of(question)
    ranked: list[tuple[float, str]] = []
    for passage in passages:
        heading = _SECTION.match(passage)
        above = profile_of(heading["headings"]).content if heading else frozenset()
        text = passage[heading.end() :] if heading else passage
        units = [unit for unit in sentences(text) if not _only_announces(unit, question)]
        around = {key for unit in units for key in profile_of(unit).content}
        whole = content_share(wanted, around | above)
        for unit in units:
            said = profile_of(unit).content
            under = content_share(wanted, said | above)
            own = max(content_share(wanted, said), _HEADING_WEIGHT * under)
            ranked.append(((1 - _PASSAGE_WEIGHT) * own + _PASSAGE_WEIGHT * whole, unit))
    if not ranked:
        return "", 0.0
    grade, best = max(ranked, key=lambda entry: entry[0])
    return (best if grade >= _LEAST_SHARE else "", grade)


def _only_announces(unit: str, question: str) -> bool:
    """Return whether a line says nothing: a question, a heading, or words of what is asked."""
    repeats = unit.casefold().rstrip(".!:。！：") in question.casefold()
    heading = unit.startswith("#") or (repeats and len(profile_of(unit).content) > 1)
    return unit.endswith(("?", "？")) or heading
