"""Trials: the nodes that are answered from."""

from llama_index.core.schema import NodeWithScore, TextNode

from llamaindex_rag_eval.data.sample import SingleTurnSample, Span
from llamaindex_rag_eval.diagnosis.parts import Retrieved
from llamaindex_rag_eval.diagnosis.trials import trials_of


def node(number: int, text: str) -> NodeWithScore:
    inner = TextNode(
        id_=str(number),
        text=text,
        start_char_idx=0,
        end_char_idx=len(text),
        metadata={"doc_id": f"{number}.md"},
    )
    return NodeWithScore(node=inner, score=1.0)


FACT = "Pump P7 of the northern hall weighs 412 kg without its base."
NODES = (node(1, "The northern hall was built in 1931."), node(2, FACT), node(3, "It is closed."))
SAMPLE = SingleTurnSample(
    id="q",
    query="What does pump P7 weigh?",
    reference="412 kg",
    gold=((Span(doc_id="2.md", start=0, end=len(FACT), quote=FACT),),),
)


def test_trials_of_a_wrong_answer_move_the_evidence() -> None:
    trials = trials_of(SAMPLE, Retrieved(NODES, NODES, NODES, complete=True), right=False)
    ids = {trial.name: [entry.node.node_id for entry in trial.nodes] for trial in trials}
    assert ids == {"alone": ["2"], "first": ["2", "1", "3"], "again": ["1", "2", "3"]}


def test_evidence_that_was_not_passed_on_is_given_alone() -> None:
    trials = [*trials_of(SAMPLE, Retrieved(NODES[:1], NODES[:1], NODES), right=False)]
    assert [(trial.name, trial.nodes) for trial in trials] == [("alone", NODES[1:2])]


def test_evidence_that_no_node_holds_is_quoted() -> None:
    (trial,) = trials_of(SAMPLE, Retrieved(NODES[:1], NODES[:1], NODES[:1]), right=False)
    assert [entry.node.get_content() for entry in trial.nodes] == [FACT]


def test_trials_of_a_right_answer_change_copies_of_the_nodes() -> None:
    trials = {
        t.name: t for t in trials_of(SAMPLE, Retrieved(NODES[:2], NODES[:2], NODES), right=True)
    }
    assert set(trials) == {"alone", "noise", "without", "exchanged"}
    assert [entry.node.node_id for entry in trials["noise"].nodes] == ["3", "1", "2"]
    assert [entry.node.node_id for entry in trials["without"].nodes] == ["1"]
    assert trials["exchanged"].sample.reference == "419 kg"
    assert trials["exchanged"].nodes[1].node.get_content() == FACT.replace("412", "419")
    assert NODES[1].node.get_content() == FACT
