"""User's turn: what does a person with this goal say next to an assistant?"""

from pydantic import BaseModel, ConfigDict

from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.models.request import Reply, Request, written


class Line(BaseModel):
    """One message of the conversation."""

    model_config = ConfigDict(frozen=True)

    role: str
    content: str


class UserTurn(Reply):
    """What the user says next.

    Attributes:
        reached: Whether the user has what they wanted, and says nothing more.
        message: What they say; empty if `reached`.
    """

    reached: bool
    message: str = ""


class UserTurnOutput(BaseModel):
    """Whether the goal is reached, after the reason, and the next message."""

    reason: str
    reached: bool
    message: str


class UserTurnOf(Request[UserTurn]):
    """What does this user say next?"""

    prompt = written("user_turn", output_model=UserTurnOutput)

    persona: str
    goal: str
    conversation: tuple[Line, ...]

    def check(self, reply: UserTurn) -> None:
        """Raise `ReplyError` if the user neither has reached the goal nor says anything."""
        if not (reply.reached or reply.message.strip()):
            raise ReplyError("expected a message, or that the goal is reached")

    def from_prompt(self, output: UserTurnOutput) -> UserTurn:
        """Return the next message."""
        return UserTurn(reached=output.reached, message="" if output.reached else output.message)
