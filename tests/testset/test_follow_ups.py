"""A follow-up is asked with the conversation before it, and scored by its own evidence."""

from pathlib import Path

import pytest
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.memory import ChatMemoryBuffer

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Message, SingleTurnSample
from llamaindex_rag_eval.engines.defaults import default_retriever
from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding
from llamaindex_rag_eval.report.html import html_report
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from tests.cli.command_line import rag_eval
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import Corpus, GoldenItem, GoldenSet, GoldSpan, SourceDocument, exact_nodes, generate

FERRY = SourceDocument("ferry.md", "The Orla ferry was built at Brevik. It carries 120 people.\n")
OTHERS = [
    SourceDocument(f"{n}.md", f"The shed {n} carries many people, and it carries them in rows.\n")
    for n in range(6)
]
CORPUS = Corpus.of([FERRY, *OTHERS])
TURNS = (
    Message(role="user", content="Where was the Orla ferry built?"),
    Message(role="assistant", content="At Brevik."),
)
QUOTE = "It carries 120 people."
START = FERRY.text.index(QUOTE)
GOLD = GoldSpan.cut("ferry.md", FERRY.hash, FERRY.text, START, START + len(QUOTE))
ITEM = GoldenItem(
    id="follow-up",
    question="And how many people does it carry?",
    reference="120 people.",
    type="conversational",
    gold=((GOLD,),),
    turns=TURNS,
)
SET = GoldenSet((ITEM,), size=1)
TOLD = (
    "user: Where was the Orla ferry built?\n"
    "assistant: At Brevik.\n"
    "user: And how many people does it carry?"
)


def test_a_sample_carries_the_conversation_and_other_samples_have_none():
    assert ITEM.sample().earlier_messages == TURNS
    assert ITEM.sample().query == ITEM.question
    assert not ITEM.model_copy(update={"turns": ()}).sample().has("earlier_messages")


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_the_conversation_is_kept_in_files(tmp_path, name):
    data = EvaluationDataset(SET.samples())
    write, read = (data.write_csv, EvaluationDataset.read_csv)
    if name.endswith("jsonl"):
        write, read = (data.write_jsonl, EvaluationDataset.read_jsonl)
    write(tmp_path / name)
    assert read(tmp_path / name) == data


def test_a_chat_engine_gets_the_question_alone_and_the_conversation_as_its_history():
    heard = []

    class Listening(SimpleChatEngine):
        async def achat(self, message, chat_history=None):
            heard.append((message, [(m.role.value, m.content) for m in chat_history]))
            return await super().achat(message, chat_history)

    engine = Listening.from_defaults(
        llm=MockLLM(), memory=ChatMemoryBuffer.from_defaults(token_limit=1000)
    )
    plain = SingleTurnSample(id="plain", query="Who?")
    run(engine, [ITEM.sample(), plain])
    before = [(message.role, message.content) for message in TURNS]
    assert heard == [(ITEM.question, before), ("Who?", [])]


def test_an_engine_that_takes_one_text_gets_the_conversation_in_it():
    heard: list[str] = []

    def engine(text: str) -> str:
        heard.append(text)
        return "120"

    run(engine, SET)
    assert heard == [TOLD]


def test_a_retriever_finds_by_the_conversation_what_the_question_alone_does_not_name():
    nodes = exact_nodes(CORPUS.llama_documents())
    engine = default_retriever(nodes, "bm25", embed_model=LexicalEmbedding(), top_k=1)
    alone = ITEM.sample().model_copy(update={"id": "alone", "earlier_messages": ()})
    answers = run(engine, [ITEM.sample(), alone])
    scores = evaluate(answers, metrics=["hit_rate@1"])
    assert scores.result("follow-up", "hit_rate@1").score == 1
    assert scores.result("alone", "hit_rate@1").score == 0


def test_an_answer_is_not_taken_over_by_the_same_words_after_another_conversation(tmp_path):
    out = tmp_path / "answers.jsonl"
    asked = []

    def engine(text: str) -> str:
        asked.append(text)
        return "yes"

    other = (Message(role="user", content="Where was the mill built?"), TURNS[1])
    run(engine, SET, out=out)
    run(engine, SET, out=out)
    run(engine, [ITEM.sample().model_copy(update={"earlier_messages": other})], out=out)
    assert len(asked) == 2


def test_the_report_shows_the_conversation():
    answers = run(lambda _: "120 people.", SET)
    page = html_report(evaluate(answers, metrics=["exact_match"]))
    assert "Where was the Orla ferry built?" in page


def test_follow_ups_go_from_a_model_through_all_commands(tmp_path: Path):
    docs = tmp_path / "docs"
    docs.mkdir()
    for entry in documents(24):
        (docs / entry.doc_id).write_text(entry.text, encoding="utf-8")
    with LoopbackServer(responders="tests.server.writer_responders:FAULTLESS") as server:
        golden = generate(docs, size=4, types=["conversational"], judge=oracle_at(server))
    golden.write(tmp_path / "golden.jsonl")
    answers = tmp_path / "answers.jsonl"
    asked = rag_eval("run", tmp_path / "golden.jsonl", "--docs", docs, "-o", answers, "-q")
    assert asked.exit_code == 0
    said = [sample.earlier_messages for sample in EvaluationDataset.read_jsonl(answers)]
    assert sorted(said, key=str) == sorted((item.turns for item in golden), key=str)
    scored = rag_eval("evaluate", answers, "-m", "hit_rate@5", "-o", tmp_path / "s.csv", "-q")
    assert scored.exit_code == 0
    results = Run.read(tmp_path / "s.jsonl").summary()
    # Every follow-up says "it": found it is by what was said before.
    assert results[0].mean == 1


def test_a_column_of_the_user_that_is_called_history_stays_metadata(tmp_path):
    (tmp_path / "a.csv").write_text("query,history\nWho?,seen twice\n", encoding="utf-8")
    (sample,) = EvaluationDataset.read_csv(tmp_path / "a.csv")
    assert sample.metadata == {"history": "seen twice"}
    assert sample.asked == "Who?"
