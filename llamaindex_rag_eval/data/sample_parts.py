"""What samples consist of: contexts, places in documents, facts, messages with calls of tools."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from llamaindex_rag_eval.errors import InputError


class Image(BaseModel):
    """An image as a context, with at least one of base64 data, a local path and a URL.

    Attributes:
        id: The id of the node, kept in the evidence of judgements.
        data: The image's bytes in base64.
        path: A local file; it is read only from a folder that the user named (`with_images`).
        url: The address of the image; it is fetched only if the user allows it.
        mimetype: For example `image/png`.
        caption: The text of the image; metrics over text see nothing else of it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = ""
    data: str | None = None
    path: str | None = None
    url: str | None = None
    mimetype: str | None = None
    caption: str = ""

    @model_validator(mode="after")
    def _has_a_place(self) -> "Image":
        if not (self.data or self.path or self.url):
            raise InputError(f"image {self.id!r} needs 'data', 'path' or 'url'")
        return self


Context = str | Image
"""One retrieved context: a text or an image."""


def text_of(context: Context) -> str:
    """Return the text of a context; that of an image is its caption."""
    return context.caption if isinstance(context, Image) else context


class Span(BaseModel):
    """A stretch of a document: characters `start` (included) to `end` (excluded).

    Attributes:
        doc_id: The document.
        start: Its first character.
        end: One past its last.
        quote: The characters.
        setting: What a reader needs beside them, in lines: title and headings, the header of a
            table, the lead-in of a list.
    """

    model_config = ConfigDict(frozen=True)

    doc_id: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    quote: str = ""
    setting: tuple[str, ...] = ()


class Fact(BaseModel):
    """A statement that the right answer makes; a plain text stands for a vital one.

    Attributes:
        text: The statement.
        importance: `vital` if an answer without it is not complete, else `okay`.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    importance: Literal["vital", "okay"] = "vital"

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, fact: object) -> object:
        return {"text": fact} if isinstance(fact, str) else fact


class ToolCall(BaseModel):
    """One call of a tool: its name and its arguments."""

    model_config = ConfigDict(frozen=True)

    name: str
    args: Mapping[str, Any] = Field(default_factory=dict)


ROLES = {"human": "user", "ai": "assistant", "tool": "tool", "system": "system"}
"""The `type` of a message, as LangChain and ragas write it -> our role."""


class Message(BaseModel):
    """One message of a conversation; its role may also be given as its `type`, as in LangChain."""

    model_config = ConfigDict(frozen=True)

    role: Literal["user", "assistant", "tool", "system"]
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    contexts: tuple[Context, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _role_of_type(cls, message: object) -> object:
        if not isinstance(message, Mapping):
            return message
        fields = {name: value for name, value in message.items() if value is not None}
        role = ROLES.get(str(fields.get("type")))
        return fields if role is None else {"role": role, **fields}


def transcript(messages: Iterable[Message]) -> str:
    """Return a conversation as text, one message per line, each after its role."""
    return "\n".join(f"{message.role}: {message.content}" for message in messages)
