"""From LlamaIndex's objects to samples: responses and nodes to fields, chat messages to messages.

LlamaIndex's own `evaluate_response` keeps only the text of the nodes. Ranking metrics need their
ids and scores as well, and multi-modal metrics their images.

    memory = ChatMemoryBuffer.from_defaults()
    await agent.run("What does pump 7 weigh?", memory=memory)
    sample = MultiTurnSample(messages=messages_of(memory.get_all()), reference_tool_calls=[...])
"""

import json
import math
from collections.abc import Mapping, Sequence

from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.base.response.schema import (
    PydanticResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.chat_engine.types import AgentChatResponse
from llama_index.core.schema import (
    BaseNode,
    ImageNode,
    MetadataMode,
    Node as MediaNode,
    NodeWithScore,
)

from llamaindex_rag_eval.data.rows import as_json
from llamaindex_rag_eval.data.sample import Context, Image, Message, Span, ToolCall

ROLES = {"developer": "system", "chatbot": "assistant", "model": "assistant", "function": "tool"}
"""LlamaIndex's roles -> those of a sample's messages, where they are called otherwise."""

DOCUMENT_KEYS = ("doc_id", "file_path")
"""Metadata that names the document; a node's `ref_doc_id` is often random."""

Reply = Response | PydanticResponse | StreamingResponse | AgentChatResponse
"""What the engines of LlamaIndex return; a stream is read to its end."""


def sample_fields(response: Reply) -> dict[str, object]:
    """Return the answer of a query or chat engine as fields of a sample.

    A response without a text becomes the empty text, not the word "None" that LlamaIndex prints
    for it. Images in the response's `metadata["image_nodes"]` that are not among its source nodes
    come after these.
    """
    nodes = list(response.source_nodes or [])
    known = {entry.node.node_id for entry in nodes}
    nodes += [entry for entry in _image_nodes(response) if entry.node.node_id not in known]
    return {"response": _answer(response), **context_fields(nodes)}


def context_fields(nodes: Sequence[NodeWithScore]) -> dict[str, object]:
    """Return retrieved nodes, best first, as fields of a sample.

    The nodes' own metadata, if there is any, becomes `context_metadata`, which a sample keeps in
    its metadata. A score that is NaN or infinite counts as unknown.
    """
    fields: dict[str, object] = {
        "contexts": tuple(_context(entry.node) for entry in nodes),
        "context_ids": tuple(entry.node.node_id for entry in nodes),
        "context_scores": tuple(_finite(entry.score) for entry in nodes),
        "context_spans": tuple(_span(entry.node) for entry in nodes),
    }
    if any(entry.node.metadata for entry in nodes):
        fields["context_metadata"] = [as_json(entry.node.metadata) for entry in nodes]
    return fields


def _image_nodes(response: Reply) -> list[NodeWithScore]:
    """Return the images that multi-modal engines keep in the metadata of the response."""
    metadata = getattr(response, "metadata", None)
    images = metadata.get("image_nodes") if isinstance(metadata, Mapping) else None
    nodes = images if isinstance(images, Sequence) else ()
    scored = (NodeWithScore(node=n) if isinstance(n, BaseNode) else n for n in nodes)
    return [entry for entry in scored if isinstance(entry, NodeWithScore)]


def _answer(response: Reply) -> str:
    if isinstance(response, PydanticResponse):
        return response.response.model_dump_json() if response.response else ""
    if isinstance(response, Response | AgentChatResponse):
        return response.response or ""
    return str(response)


def _finite(score: float | None) -> float | None:
    return float(score) if score is not None and math.isfinite(score) else None


def _context(node: BaseNode) -> Context:
    """Return the image of a node if it has one, else its text."""
    text = node.get_content(metadata_mode=MetadataMode.NONE)
    image: dict[str, str | None] = {}
    if isinstance(node, ImageNode):
        image = {"data": node.image, "path": node.image_path, "url": node.image_url}
        image["mimetype"] = node.image_mimetype
    elif isinstance(node, MediaNode) and (media := node.image_resource) is not None:
        image = {"path": str(media.path or "") or None, "url": str(media.url or "") or None}
        image |= {"data": media.data.decode() if media.data else None, "mimetype": media.mimetype}
    if not any(image.get(name) for name in ("data", "path", "url")):
        return text
    return Image.model_validate({**image, "id": node.node_id, "caption": text})


def _span(node: BaseNode) -> Span | None:
    """Return the place of a node in its document, if the node records it."""
    start = getattr(node, "start_char_idx", None)
    end = getattr(node, "end_char_idx", None)
    doc_id = next(
        (node.metadata[k] for k in DOCUMENT_KEYS if node.metadata.get(k)), node.ref_doc_id
    )
    if not doc_id or not isinstance(start, int) or not isinstance(end, int) or end < start:
        return None
    return Span(doc_id=str(doc_id), start=start, end=end)


def messages_of(chat: Sequence[ChatMessage]) -> tuple[Message, ...]:
    """Return the messages of a chat store, a memory, or an agent's run, in their order.

    Tool calls are read from the message's blocks or, where it has none there, from
    `additional_kwargs["tool_calls"]` in OpenAI's form, as older integrations keep them. Arguments
    that are not a JSON object, which is the model's mistake, become `{"arguments": "…"}`, so that
    they equal no reference call. Images and audio are left out.
    """
    return tuple(
        Message.model_validate(
            {
                "role": ROLES.get(message.role.value, message.role.value),
                "content": message.content or "",
                "tool_calls": _calls(message),
            }
        )
        for message in chat
    )


def _calls(message: ChatMessage) -> tuple[ToolCall, ...]:
    blocks = [block for block in message.blocks if isinstance(block, ToolCallBlock)]
    if blocks:
        return tuple(_call(block.tool_name, block.tool_kwargs) for block in blocks)
    given = message.additional_kwargs.get("tool_calls") or ()
    return tuple(_openai_call(as_json(entry)) for entry in given)


def _openai_call(entry: object) -> ToolCall:
    """Return a call from `{"function": {"name": …, "arguments": "…"}}`."""
    outer = entry if isinstance(entry, Mapping) else {}
    inner = outer.get("function")
    function = inner if isinstance(inner, Mapping) else outer
    return _call(str(function.get("name", "")), function.get("arguments"))


def _call(name: str, arguments: object) -> ToolCall:
    if isinstance(arguments, str):
        try:
            read = json.loads(arguments or "{}")
        except ValueError:
            read = None
        arguments = read if isinstance(read, dict) else {"arguments": arguments}
    return ToolCall(name=name, args=arguments if isinstance(arguments, Mapping) else {})
