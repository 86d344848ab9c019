"""DeepEval's `ConversationSimulator`, over our simulated user."""

import asyncio
import inspect
from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.compat.deepeval_case import (
    ConversationalGolden,
    ConversationalTestCase,
    Turn,
)
from llamaindex_rag_eval.compat.models import LlmLike, judge_from
from llamaindex_rag_eval.data.sample import Message, SingleTurnSample
from llamaindex_rag_eval.engines.simulated_user import SimulatedUser, UserTurnOf
from llamaindex_rag_eval.errors import NeedsModelError
from llamaindex_rag_eval.judge.judge import judge_of


class ConversationSimulator:
    """A model that plays the user of your application.

    Args:
        model_callback: Returns the answer to `input`, a text or a `Turn`; it may also take the
            `turns` before, and a `thread_id`.
        simulator_model: Plays the user; without it `Settings.llm`.
        ignored: Settings of DeepEval that change nothing here.

    Raises:
        NeedsModelError: There is no model.
    """

    def __init__(
        self,
        model_callback: Callable[..., Any],
        simulator_model: LlmLike | None = None,
        **ignored: object,
    ) -> None:
        del ignored
        self.oracle = judge_of(judge_from(simulator_model)).oracle
        if not self.oracle.answers(UserTurnOf):
            raise NeedsModelError(
                "'ConversationSimulator' needs a model, as simulator_model='gpt-4o-mini', or set "
                "`Settings.llm` of LlamaIndex"
            )
        self.callback = model_callback
        self.takes = inspect.signature(model_callback).parameters.keys()

    def simulate(
        self,
        conversational_goldens: Iterable[ConversationalGolden],
        max_user_simulations: int = 10,
        **ignored: object,
    ) -> list[ConversationalTestCase]:
        """Return a conversation for each golden, with at most so many messages of the user."""
        del ignored

        async def lead() -> list[ConversationalTestCase]:
            talks = (self._talk(golden, max_user_simulations) for golden in conversational_goldens)
            return await asyncio.gather(*talks)

        return run_sync(lead())

    async def _talk(self, golden: ConversationalGolden, most: int) -> ConversationalTestCase:
        goal = f"{golden.scenario} {golden.expected_outcome or ''}".strip()
        about = {"persona": golden.user_description or "", "goal": goal}
        sample, user = SingleTurnSample(metadata=about), SimulatedUser(self.oracle, turns=most)
        turns, thread = list(golden.turns or ()), str(uuid4())
        for number in range(1, most + 1):
            if not (turns and turns[-1].role == "user"):
                messages = [Message(role=turn.role, content=turn.content) for turn in turns]  # type: ignore[arg-type]
                spoken = await user.speak(sample, messages, number)
                if spoken.ended is not None:
                    break
                turns.append(Turn("user", spoken.text))
            values = {"input": turns[-1].content, "turns": turns[:-1], "thread_id": thread}
            reply = self.callback(**{k: v for k, v in values.items() if k in self.takes})
            reply = await reply if inspect.isawaitable(reply) else reply
            turns.append(reply if isinstance(reply, Turn) else Turn("assistant", str(reply)))
        return ConversationalTestCase(**{**vars(golden), "turns": turns})
