"""A simulated user: goes on asking an engine until a goal is reached or the turns are used up."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from llamaindex_rag_eval.data.sample import (
    Message,
    MultiTurnSample,
    Sample,
    SingleTurnSample,
    sample_of,
)
from llamaindex_rag_eval.engines.query import EngineAdapter
from llamaindex_rag_eval.engines.usage import uncounted
from llamaindex_rag_eval.errors import BudgetError, InputError, ReplyError
from llamaindex_rag_eval.models.request import Oracle, Reply, Request, written


class Line(BaseModel):
    """One message of the conversation."""

    model_config = ConfigDict(frozen=True)

    role: str
    content: str


class UserTurn(Reply):
    """What the user says next.

    Attributes:
        reason: Why the goal is reached, or not.
        reached: Whether the user has what they wanted, and says nothing more.
        message: What they say.
    """

    reason: str = ""
    reached: bool
    message: str = ""


class UserTurnOf(Request[UserTurn]):
    """What does this user say next?"""

    prompt = written("user_turn")

    persona: str
    goal: str
    conversation: tuple[Line, ...]

    def check(self, reply: UserTurn) -> None:
        """Raise `ReplyError` if the user neither has reached the goal nor says anything."""
        if not (reply.reached or reply.message.strip()):
            raise ReplyError("expected a message, or that the goal is reached")


Ending = Literal["reached", "script", "turns", "budget"]
"""Why a conversation ended: the user has what they wanted, the script or the turns are at their
end, or the budget of the user's model is spent."""

TURNS = 6
"""Messages of the user that a conversation has at most; who needs more was not helped."""


class Spoken(NamedTuple):
    """What the user says next, or why nothing."""

    text: str = ""
    ended: Ending | None = None


ANYBODY = "somebody who uses this assistant for the first time"


@dataclass(frozen=True)
class SimulatedUser:
    """Speaks for a user, by a script or by a model.

    A question with a list `script` in its metadata is followed by these messages. Any other is
    followed by what a model says as its `persona`, who wants its `goal`; without a goal, what its
    reference answer says, or an answer to its question.

    Attributes:
        oracle: Who speaks where there is no script, as `LLMOracle(llm, limit=Limit(budget=…))`; it
            is asked once for each further message.
        turns: Messages of the user in a conversation, the question among them; 1 or more.

    Raises:
        InputError: `turns` is below 1.
    """

    oracle: Oracle | None = None
    turns: int = TURNS

    def __post_init__(self) -> None:
        if self.turns < 1:
            raise InputError(f"'turns' is {self.turns!r}, expected 1 or more")

    async def speak(self, sample: Sample, messages: list[Message], said: int) -> Spoken:
        """Return what the user says next, or why nothing.

        Args:
            sample: The question, with persona and goal or script.
            messages: The conversation so far.
            said: How many messages of the user it has beyond those of the data set.
        """
        script = sample.metadata.get("script")
        if isinstance(script, list | tuple):
            left = script[said - 1 :]
            return Spoken(str(left[0])) if left else Spoken(ended="script")
        if self.oracle is None:
            raise InputError(
                f"the question {sample.id!r} has no list 'script', and no model speaks for its "
                "user; give one (--user)"
            )
        lines = [Line(role=m.role, content=m.content) for m in messages if m.content]
        request = UserTurnOf(
            persona=str(sample.metadata.get("persona") or ANYBODY),
            goal=_goal(sample, messages),
            conversation=tuple(lines),
        )
        try:
            with uncounted():
                turn = await self.oracle.ask(request)
        except BudgetError:
            return Spoken(ended="budget")
        return Spoken(ended="reached") if turn.reached else Spoken(turn.message)


class SimulatedAdapter(EngineAdapter):
    """Asks an engine, and lets a simulated user go on."""

    def __init__(self, inner: EngineAdapter, user: SimulatedUser) -> None:
        self._inner = inner
        self._user = user
        self.one_at_a_time = inner.one_at_a_time

    async def answer(self, question: SingleTurnSample) -> Mapping[str, object]:  # noqa: ARG002
        """Refuse what no user opens; see `with_openings`."""
        raise InputError("expected a question opened as a conversation; see `with_openings`")

    async def replay(self, sample: MultiTurnSample) -> Mapping[str, object]:
        """Return the conversation, and what each answer of it came with."""
        *before, opening = sample.messages
        messages: list[Message] = list(before)
        turns = []
        text, waited = opening.content, 0.0
        for said in range(1, self._user.turns + 1):
            turns.append(await self._inner.turn(sample, messages, text))
            if said == self._user.turns:
                spoken = Spoken(ended="turns")
                break
            started = time.perf_counter()
            spoken = await self._user.speak(sample, messages, said)
            waited += time.perf_counter() - started
            if spoken.ended is not None:
                break
            text = spoken.text
        about = {"turns": len(turns), "ended": spoken.ended, "user_seconds": round(waited, 6)}
        opened = sum(message.role == "user" for message in sample.messages)
        simulation = {"opened": opened, **about}
        return {"messages": tuple(messages), "retrieved": turns, "simulation": simulation}


def with_openings(samples: Iterable[Sample]) -> list[Sample]:
    """Return questions as conversations that they open; conversations as they are.

    Raises:
        InputError: A sample has no question, or is a conversation that no user opens.
    """
    opened: list[Sample] = []
    for sample in samples:
        if isinstance(sample, SingleTurnSample):
            names = sample.model_fields_set & {"id", "reference", "metadata"}
            row: dict[str, object] = {name: getattr(sample, name) for name in names}
            question = Message(role="user", content=sample.query)
            row["messages"] = (*sample.earlier_messages, question) if sample.query else ()
            sample = sample_of(row)
        if not isinstance(sample, MultiTurnSample) or not sample.messages:
            raise InputError(f"the sample {sample.id!r} has no question that a user could ask")
        if sample.messages[-1].role != "user":
            raise InputError(f"the conversation {sample.id!r} does not end with the user")
        opened.append(sample)
    return opened


def user_seconds(fields: Mapping[str, object]) -> float:
    """Return the seconds that a simulated user took, which are not the engine's."""
    simulation = fields.get("simulation")
    seconds = simulation.get("user_seconds") if isinstance(simulation, Mapping) else None
    return seconds if isinstance(seconds, float) else 0.0


def _goal(sample: Sample, messages: list[Message]) -> str:
    first = next((message.content for message in messages if message.role == "user"), "")
    given = sample.metadata.get("goal") or getattr(sample, "reference", "")
    return str(given or f"an answer to: {first}")
