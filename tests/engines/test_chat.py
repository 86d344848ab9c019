import threading
from pathlib import Path
from typing import Any

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.chat_engine.types import AgentChatResponse, BaseChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.schema import NodeWithScore, TextNode

from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, SingleTurnSample
from llamaindex_rag_eval.engines.runner import run

TALK = MultiTurnSample(
    id="t",
    messages=(
        Message(role="system", content="be brief"),
        Message(role="user", content="first"),
        Message(role="assistant", content="an old answer"),
        Message(role="user", content="second"),
    ),
    reference="both",
)


class Memo(BaseChatEngine):
    """Answers with all that it remembers of the user; has no working async method."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.memory: list[ChatMessage] = []
        self.now = self.most = 0

    def reset(self) -> None:
        self.memory = []

    def chat(
        self, message: str, chat_history: list[ChatMessage] | None = None
    ) -> AgentChatResponse:
        if chat_history is not None:
            self.memory = list(chat_history)
        self.now += 1
        self.most = max(self.most, self.now)
        if message == "slow":
            self.released.wait()
        if message == "bad":
            self.now -= 1
            raise ValueError("no")
        self.memory.append(ChatMessage(role="user", content=message))
        texts = " / ".join(str(m.content) for m in self.memory if m.role != "assistant")
        self.now -= 1
        node = NodeWithScore(node=TextNode(id_=f"about {message}", text="a text"), score=1.0)
        return AgentChatResponse(response=texts, source_nodes=[node])

    async def achat(self, *args: Any, **named: Any) -> AgentChatResponse:
        raise NotImplementedError

    def stream_chat(self, *args: Any, **named: Any) -> Any:
        raise NotImplementedError

    async def astream_chat(self, *args: Any, **named: Any) -> Any:
        raise NotImplementedError

    @property
    def chat_history(self) -> list[ChatMessage]:
        return self.memory


def single(*texts: str) -> list[SingleTurnSample]:
    return [SingleTurnSample(id=text, query=text) for text in texts]


def test_every_question_is_asked_in_a_fresh_conversation_of_its_own() -> None:
    engine = Memo()
    engine.chat("something before")
    data = run(engine, single("a", "b", "c"))
    assert [row.response for row in data if isinstance(row, SingleTurnSample)] == ["a", "b", "c"]
    assert engine.most == 1


def test_a_conversation_is_replayed_with_the_words_of_the_user() -> None:
    (row,) = run(Memo(), [TALK])
    assert isinstance(row, MultiTurnSample)
    assert [(m.role, m.content) for m in row.messages] == [
        ("system", "be brief"),
        ("user", "first"),
        ("assistant", "be brief / first"),
        ("user", "second"),
        ("assistant", "be brief / first / second"),
    ]
    assert row.messages[2].contexts == ("a text",)
    assert [turn["context_ids"] for turn in row.metadata["retrieved"]] == [
        ("about first",),
        ("about second",),
    ]
    assert row.reference == "both"
    assert row.latency is not None


def test_a_conversation_that_breaks_is_a_failed_row_with_the_words_of_the_user() -> None:
    broken = TALK.model_copy(
        update={"messages": (*TALK.messages, Message(role="user", content="bad"))}
    )
    failed, fine = run(Memo(), [broken, TALK.model_copy(update={"id": "fine"})])
    assert isinstance(failed, MultiTurnSample)
    assert failed.error == "ValueError: no"
    assert [m.role for m in failed.messages] == ["system", "user", "user", "user"]
    assert fine.error == ""


def test_a_replayed_conversation_is_not_asked_again(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    first = run(Memo(), [TALK], out=out)

    class Mute(Memo):
        def chat(self, *args: Any, **named: Any) -> AgentChatResponse:
            raise AssertionError("asked again")

    assert run(Mute(), [TALK], out=out) == first


def test_a_question_that_timed_out_does_not_speak_into_the_next() -> None:
    engine = Memo()

    def progress(done: int, total: int) -> None:
        if done == 1:  # the slow question is given up; its thread ends while the next one waits
            threading.Timer(0.2, engine.released.set).start()

    slow, after = run(engine, single("slow", "after"), timeout=2.0, progress=progress)
    assert isinstance(after, SingleTurnSample)
    assert slow.error == "no answer within 2 s"
    assert after.response == "after"
    assert engine.most == 1


def test_a_chat_engine_of_llamaindex_forgets_between_questions() -> None:
    before = threading.active_count()
    engine = SimpleChatEngine.from_defaults(
        llm=MockLLM(), memory=ChatMemoryBuffer.from_defaults(token_limit=1000)
    )
    for row in run(engine, single("one", "two")):
        assert isinstance(row, SingleTurnSample)
        # MockLLM answers with the conversation it was shown.
        assert row.response.count("user:") == 1
        assert row.query in row.response
    assert threading.active_count() < before + 5
