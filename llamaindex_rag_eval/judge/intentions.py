"""Intentions: what did the user of a conversation want, and did the assistant meet it?"""

from collections.abc import Sequence

from llamaindex_rag_eval.data.sample import Message
from llamaindex_rag_eval.judge.wire import Line, Wire
from llamaindex_rag_eval.models.request import Reply, Request, written


class Intention(Reply):
    """One thing that the user wanted, and whether it was met."""

    intention: str
    met: bool
    reason: str = ""


class Intentions(Reply):
    """Everything that the user wanted; nothing if it was small talk."""

    intentions: tuple[Intention, ...]


class IntentionVerdict(Wire):
    """One thing that the user wanted."""

    intention: str
    reason: str
    met: bool


class IntentionsOutput(Wire):
    """Everything that the user wanted."""

    intentions: tuple[IntentionVerdict, ...]


class IntentionsOf(Request[Intentions]):
    """What did the user of this conversation want, and was it met?"""

    prompt = written("intentions", output_model=IntentionsOutput)

    conversation: tuple[Line, ...]

    def stand_in(self) -> Intentions:
        """Return a reply of the right form, for a dry run without a model."""
        return Intentions(intentions=(Intention(intention="Know it.", met=True),))

    def from_prompt(self, output: IntentionsOutput) -> Intentions:
        """Return what was wanted, each thing once."""
        wanted = {entry.intention: entry for entry in output.intentions}
        return Intentions(
            intentions=tuple(
                Intention(intention=text, met=entry.met, reason=entry.reason)
                for text, entry in wanted.items()
            )
        )


def lines_of(messages: Sequence[Message]) -> tuple[Line, ...]:
    """Return messages as a prompt shows them; calls of tools stand in their text as JSON."""
    return tuple(Line(role=message.role, text=_text(message)) for message in messages)


def _text(message: Message) -> str:
    calls = (f"[tool call] {call.model_dump_json()}" for call in message.tool_calls)
    return "\n".join(part for part in (message.content, *calls) if part)
