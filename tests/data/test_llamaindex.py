import base64
from collections.abc import Mapping, Sequence

import pytest
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock
from llama_index.core.base.response.schema import PydanticResponse, Response
from llama_index.core.chat_engine.types import AgentChatResponse
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.schema import (
    Document,
    ImageDocument,
    ImageNode,
    MediaResource,
    Node,
    NodeRelationship,
    NodeWithScore,
    RelatedNodeInfo,
    TextNode,
)
from openai.types.chat import ChatCompletionMessageToolCall
from openai.types.chat.chat_completion_message_tool_call import Function
from pydantic import AnyUrl, BaseModel

from llamaindex_rag_eval import Message, MultiTurnSample, ToolCall, messages_of
from llamaindex_rag_eval.data.llamaindex import context_fields, sample_fields
from llamaindex_rag_eval.data.sample import Image, SingleTurnSample, Span
from llamaindex_rag_eval.metrics.tool_calls import ToolCallAccuracy

PIXEL = base64.b64encode(b"not really a picture").decode()


def found(node: Node | TextNode | Document, score: float | None = None) -> NodeWithScore:
    return NodeWithScore(node=node, score=score)


def contexts_of(fields: Mapping[str, object]) -> Sequence[object]:
    contexts = fields["contexts"]
    assert isinstance(contexts, tuple)
    return contexts


def test_ids_scores_texts_and_places_keep_the_order_of_the_nodes() -> None:
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id="doc.md")}
    first = TextNode(id_="n1", text="one", start_char_idx=3, end_char_idx=6, relationships=source)
    fields = context_fields([found(first, 0.5), found(TextNode(id_="n2", text="two"))])
    assert fields == {
        "contexts": ("one", "two"),
        "context_ids": ("n1", "n2"),
        "context_scores": (0.5, None),
        "context_spans": (Span(doc_id="doc.md", start=3, end=6), None),
    }


def test_metadata_of_nodes_is_kept_but_stays_out_of_the_text() -> None:
    node = TextNode(text="one", metadata={"page": 3, "tags": ("a", "b")})
    fields = context_fields([found(node), found(TextNode(text="two"))])
    assert fields["contexts"] == ("one", "two")
    sample = SingleTurnSample.model_validate(fields)
    assert sample.metadata == {"context_metadata": [{"page": 3, "tags": ["a", "b"]}, {}]}


def test_the_name_of_the_document_in_the_metadata_comes_before_its_node_id() -> None:
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id="some-uuid")}
    node = TextNode(
        text="a",
        start_char_idx=0,
        end_char_idx=1,
        relationships=source,
        metadata={"doc_id": "guide.md"},
    )
    assert context_fields([found(node)])["context_spans"] == (
        Span(doc_id="guide.md", start=0, end=1),
    )


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_a_score_that_is_no_number_is_not_known(score: float) -> None:
    assert context_fields([found(TextNode(text="a"), score)])["context_scores"] == (None,)


def test_an_image_node_keeps_its_picture_and_its_id_and_shows_its_caption() -> None:
    node = ImageNode(id_="i", text="a pump", image=PIXEL, image_mimetype="image/png")
    (image,) = contexts_of(context_fields([found(node)]))
    assert image == Image(id="i", data=PIXEL, mimetype="image/png", caption="a pump")


def test_a_media_node_keeps_the_address_of_its_picture() -> None:
    node = Node(id_="m", image_resource=MediaResource(url=AnyUrl("https://example.com/a.png")))
    (image,) = contexts_of(context_fields([found(node)]))
    assert isinstance(image, Image)
    assert (image.id, image.url) == ("m", "https://example.com/a.png")


def test_an_image_document_is_an_image() -> None:
    document = ImageDocument(id_="d", image=PIXEL, image_mimetype="image/png", text="a valve")
    (image,) = contexts_of(context_fields([found(document)]))
    # A `MediaResource` keeps its data in base64 once more if it is not base64 already.
    assert image == Image(id="d", data=PIXEL, mimetype="image/png", caption="a valve")


def test_images_that_a_response_keeps_apart_come_after_its_sources_and_once_each() -> None:
    text, shown = TextNode(id_="t", text="one"), ImageNode(id_="i", image=PIXEL, text="a pump")
    apart = ImageNode(id_="j", image=PIXEL, text="a valve")
    response = Response(
        "yes",
        source_nodes=[found(text, 0.5), found(shown, 0.4)],
        metadata={"text_nodes": [found(text)], "image_nodes": [found(shown), found(apart, 0.3)]},
    )
    fields = sample_fields(response)
    assert fields["context_ids"] == ("t", "i", "j")
    assert fields["context_scores"] == (0.5, 0.4, 0.3)
    _, _, image = contexts_of(fields)
    assert image == Image(id="j", data=PIXEL, caption="a valve")


@pytest.mark.parametrize("metadata", [None, {}, {"image_nodes": None}, {"image_nodes": ["x"]}])
def test_metadata_without_images_adds_none(metadata: dict[str, object] | None) -> None:
    assert sample_fields(Response("yes", metadata=metadata))["contexts"] == ()


class Verdict(BaseModel):
    ok: bool


@pytest.mark.parametrize(
    ("response", "text"),
    [
        (Response("yes"), "yes"),
        (Response(""), ""),
        (Response(None), ""),
        (PydanticResponse(Verdict(ok=True)), '{"ok":true}'),
        (PydanticResponse(None), ""),
        (AgentChatResponse("hello"), "hello"),
    ],
)
def test_every_kind_of_response_gives_its_text(response: Response, text: str) -> None:
    assert sample_fields(response)["response"] == text


WEIGH = ToolCall(name="weigh", args={"pump": 7})


def weigh(pump: int) -> str:
    """Weigh a pump."""
    return f"pump {pump} weighs 12 kg"


def scripted(messages: Sequence[ChatMessage], **_: object) -> ChatMessage:
    """Call the tool once, then say what it found."""
    if messages[-1].role == "tool":
        return ChatMessage(role="assistant", content="It weighs 12 kg.")
    call = ToolCallBlock(tool_call_id="c1", tool_name="weigh", tool_kwargs={"pump": 7})
    return ChatMessage(role="assistant", blocks=[TextBlock(text="Let me weigh it."), call])


@pytest.mark.filterwarnings("ignore::pydantic.PydanticDeprecationWarning")  # in workflows
async def test_an_agents_run_is_scored_by_what_it_called() -> None:
    llm = MockFunctionCallingLLM(response_generator=scripted)
    memory = ChatMemoryBuffer.from_defaults()
    await FunctionAgent(llm=llm, tools=[weigh]).run("What does pump 7 weigh?", memory=memory)
    messages = messages_of(memory.get_all())
    assert [message.role for message in messages] == ["user", "assistant", "tool", "assistant"]
    assert messages[1].tool_calls == (WEIGH,)
    assert messages[2].content == "pump 7 weighs 12 kg"
    sample = MultiTurnSample(messages=messages, reference_tool_calls=(WEIGH,))
    assert (await ToolCallAccuracy().measure(sample)).value == 1


def test_calls_in_openais_form_are_read_as_objects_and_as_plain_data() -> None:
    function = Function(name="weigh", arguments='{"pump": 7}')
    entry = ChatCompletionMessageToolCall(id="c1", function=function, type="function")
    for given in (entry, entry.model_dump()):
        said = ChatMessage(role="assistant", additional_kwargs={"tool_calls": [given]})
        assert messages_of([said]) == (Message(role="assistant", tool_calls=(WEIGH,)),)


def test_arguments_that_are_no_json_object_are_kept_and_equal_no_wanted_call() -> None:
    for text in ('{"pump": ', "[7]"):
        block = ToolCallBlock(tool_name="weigh", tool_kwargs=text)
        (message,) = messages_of([ChatMessage(role="assistant", blocks=[block])])
        assert message.tool_calls == (ToolCall(name="weigh", args={"arguments": text}),)
    none = ToolCallBlock(tool_name="weigh", tool_kwargs="")
    (message,) = messages_of([ChatMessage(role="assistant", blocks=[none])])
    assert message.tool_calls == (ToolCall(name="weigh"),)


def test_every_role_of_llamaindex_has_its_place() -> None:
    roles = ("system", "developer", "user", "assistant", "chatbot", "model", "tool", "function")
    read = [message.role for message in messages_of([ChatMessage(role=r) for r in roles])]
    assert read == ["system"] * 2 + ["user"] + ["assistant"] * 3 + ["tool"] * 2
