import base64
from typing import Any

import pytest
from llama_index.core.base.response.schema import Response
from llama_index.core.schema import ImageNode, MediaResource, Node, NodeWithScore, TextNode

from llamaindex_rag_eval.data.images import with_images
from llamaindex_rag_eval.data.sample import Image, SingleTurnSample
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Judge, Support, SupportOf, SupportReply
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.context_precision import ContextPrecision
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.multimodal import MultimodalFaithfulness, MultimodalRelevance
from llamaindex_rag_eval.models import CachedOracle, EmbeddedOracle, ScriptedOracle
from llamaindex_rag_eval.runs.evaluate import evaluate
from tests.contract.samples import FULL
from tests.models.asking import oracle_at, serving

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)

DATA = base64.b64encode(PNG).decode()

OTHER = base64.b64encode(PNG + b"\0").decode()

SAMPLE = SingleTurnSample(
    query="What is it?",
    response="It is a pump. It is red. It is new.",
    contexts=(
        "It is a pump.",
        Image(id="photo", data=DATA, mimetype="image/png", caption="the pump"),
        Image(id="plan", data=OTHER, mimetype="image/png"),
    ),
    context_ids=("text", "photo", "plan"),
)

CLAIMS = ("It is a pump.", "It is red.", "It is new.")


def scripted():
    return ScriptedOracle(
        Claims(claims=CLAIMS),
        SupportReply(
            verdicts=(
                Support(claim=CLAIMS[0], verdict="supported", sources=(0, 1)),
                Support(claim=CLAIMS[1], verdict="supported", sources=(1,)),
                Support(claim=CLAIMS[2], verdict="not_mentioned"),
            )
        ),
    )


async def test_claims_are_judged_over_texts_and_images_together():
    oracle = scripted()
    result = await MultimodalFaithfulness(Judge(oracle)).result(SAMPLE)
    assert result.score == 2 / 3
    assert oracle.asked == [
        ClaimsOf(text=SAMPLE.response, question=SAMPLE.query),
        SupportOf(claims=CLAIMS, sources=SAMPLE.contexts, question=SAMPLE.query),
    ]


async def test_the_evidence_names_the_images_by_their_ids():
    result = await MultimodalFaithfulness(scripted()).result(SAMPLE)
    assert [entry["source_ids"] for entry in result.evidence["claims"]] == [
        ["text", "photo"],
        ["photo"],
        [],
    ]
    assert result.evidence["sources"] == [
        {"id": "text", "kind": "text"},
        {"id": "photo", "kind": "image", "caption": "the pump"},
        {"id": "plan", "kind": "image", "caption": ""},
    ]


async def test_relevance_is_the_share_of_texts_and_images_that_the_response_uses():
    # Of the text, the photo and the plan, the first two support a claim.
    assert (await MultimodalRelevance(scripted()).result(SAMPLE)).score == 2 / 3
    nothing = SAMPLE.model_copy(update={"contexts": (), "context_ids": ()})
    oracle = ScriptedOracle(Claims(claims=CLAIMS))
    assert (await MultimodalRelevance(oracle).result(nothing)).status == "undefined"
    oracle = ScriptedOracle(Claims(claims=CLAIMS))
    assert (await MultimodalFaithfulness(oracle).result(nothing)).score == 0


async def test_rules_judge_an_image_by_its_caption():
    image = Image(id="i", path="pump.png", caption="It is a red pump.")
    sample = SAMPLE.model_copy(update={"contexts": (image,), "response": "It is a red pump."})
    assert (await MultimodalFaithfulness(EmbeddedOracle(), graded=False).result(sample)).score == 1


def image_parts(body):
    content = body["messages"][-1]["content"]
    return [part["image_url"]["url"] for part in content if part["type"] == "image_url"]


async def test_images_reach_the_model_as_image_parts_in_the_order_of_the_contexts(tmp_path):
    file = tmp_path / "plan.png"
    file.write_bytes(PNG + b"\0")
    contexts = (SAMPLE.contexts[1], "It is a pump.", Image(id="plan", path=str(file)))
    (sample,) = with_images([SAMPLE.model_copy(update={"contexts": contexts})], tmp_path)
    with serving(record=True) as server:
        for metric in (MultimodalFaithfulness, Faithfulness, ContextPrecision):
            full = sample.model_copy(update={"reference": "A pump."})
            fields = {**full.model_dump(exclude_unset=True), "reference": "A pump."}
            result = await metric(oracle_at(server)).result(SingleTurnSample(**fields))
            assert result.status == "scored", result.feedback
        bodies = [
            body for body in server.requests() if isinstance(body["messages"][-1]["content"], list)
        ]
    assert len(bodies) == 3  # support twice, relevance once
    for body in bodies:
        assert image_parts(body) == [f"data:image/png;base64,{d}" for d in (DATA, OTHER)]
        text = body["messages"][-1]["content"][0]["text"]
        assert text.index("the pump") < text.index("It is a pump.")
        assert text.count(" (image)") + text.count('"kind":"image"') == 2


REMOTE = SAMPLE.model_copy(
    update={"contexts": (Image(id="far", url="https://example.com/pump.png", caption="a pump"),)}
)


async def test_an_image_elsewhere_is_not_fetched_unless_the_user_says_so():
    with serving(record=True) as server:
        result = await MultimodalFaithfulness(oracle_at(server)).result(REMOTE)
        assert result.status == "failed"
        assert "remote_images=True" in result.reason
        allowed = oracle_at(server, remote_images=True)
        assert (await MultimodalFaithfulness(allowed).result(REMOTE)).status == "scored"
        assert image_parts(server.requests()[-1]) == ["https://example.com/pump.png"]


@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize("where", [{"path": __file__}, {"url": f"file://{__file__}"}])
async def test_no_file_is_read_for_a_model_that_nobody_named_a_folder_of(where, remote):
    contexts = (Image(id="i", **where),)
    sample = SAMPLE.model_copy(update={"contexts": contexts})
    with serving(record=True) as server:
        oracle = oracle_at(server, remote_images=remote)
        result = await MultimodalFaithfulness(oracle).result(sample)
        assert not any("image_url" in str(body) for body in server.requests())
    assert result.status == "failed"
    assert repr(next(iter(where.values()))) in result.reason
    assert ("--images DIR" if "path" in where else "remote_images=True") in result.reason


NODES = [
    NodeWithScore(node=TextNode(id_="t", text="It is a pump.")),
    NodeWithScore(node=ImageNode(id_="i", image=DATA, text="a photo")),
]

APART = Node(id_="m", image_resource=MediaResource(data=PNG, mimetype="image/png"))


@pytest.mark.parametrize("metric", [MultimodalFaithfulness, Faithfulness])
async def test_evaluating_a_response_drops_no_image(metric):
    oracle = ScriptedOracle(
        Claims(claims=("c",)),
        SupportReply(verdicts=(Support(claim="c", verdict="supported", sources=(2,)),)),
    )
    response = Response("c", source_nodes=NODES, metadata={"image_nodes": [APART]})
    result = await metric(Judge(oracle)).aevaluate_response("q", response)
    assert result.score == 1
    asked: list[Any] = list(oracle.asked)
    _, support = asked
    assert support.sources[0] == "It is a pump."
    assert [source.id for source in support.sources[1:]] == ["i", "m"]
    assert support.sources[1].caption == "a photo"
    assert support.sources[2].data == DATA


@pytest.fixture(scope="module")
def server():
    with serving() as running:
        yield running


def test_metrics_over_texts_and_images_share_what_they_ask(server):
    server.reset()
    metrics: list[BaseMetric | str] = [Faithfulness(), MultimodalFaithfulness()]
    metrics += ["context_recall", "multimodal_relevance"]
    run = evaluate([FULL], metrics=metrics, judge=Judge(CachedOracle(oracle_at(server))))
    assert all(result.status == "scored" for result in run.results)
    # Claims of response and reference, and the support of each by the contexts.
    assert server.stats().calls == 4
    assert ClaimsOf.__name__ in run.provenance.answered_by
