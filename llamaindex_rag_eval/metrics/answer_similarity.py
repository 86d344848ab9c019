"""Answer similarity and embedding distance: how near in meaning are response and reference?"""

from llamaindex_rag_eval.formulas.vectors import Distance, embedding_distance
from llamaindex_rag_eval.judge import SimilaritiesOf
from llamaindex_rag_eval.judge.similarity import VectorsOf
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample


class AnswerSimilarity(Metric):
    """Answer similarity: how near in meaning is the response to the reference?

        answer_similarity = cos(e(response), e(reference))

    Cosine of the embeddings of response and reference, in [-1, 1]; higher is better.

    Asks the judge once. An empty response scores 0, as it points nowhere; without a reference
    there is nothing to be near to.

    Limitations: It cannot see a negation or a wrong number: "It is not red" is very near to "It is
    red", and a right short answer is far from a long reference. `answer_verdict` says whether an
    answer is right.

    Source: Risch et al. (2021), "Semantic Answer Similarity for Evaluating Question Answering
    Models", https://arxiv.org/abs/2108.06130.

    Args:
        judge: Whose embeddings are compared.
        threshold: From which value on a result passes.
    """

    name = "answer_similarity"
    needs = frozenset({"response", "reference"})
    requests = (SimilaritiesOf,)
    bounds = (-1.0, 1.0)
    undefined = "The reference is empty."

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.reference.strip():
            return Score(None)
        if not sample.response.strip():
            return Score(0.0, note="The response is empty.")
        (value,) = await self.judge.similarity(sample.reference, [sample.response])
        return Score(value)


class EmbeddingDistance(Metric):
    """Embedding distance: how far apart in meaning are response and reference?

        embedding_distance = distance of e(response) and e(reference)

    Distance of the two embeddings, from 0 up; lower is better.

    Asks the judge for both embeddings at once. `cosine` ends at 2, `hamming` at 1, the others
    have no end.

    Limitations: It cannot see a negation or a wrong number. Distances of two embedding models, or
    of two measures, cannot be compared.

    Source: LangChain's `embedding_distance` evaluator.

    Args:
        judge: Who embeds.
        distance: `cosine`, `euclidean`, `manhattan`, `chebyshev` or `hamming`.
        threshold: Up to which value a result passes.

    Raises:
        InputError: No such distance.
    """

    name = "embedding_distance"
    needs = frozenset({"response", "reference"})
    requests = (VectorsOf,)
    bounds = (0.0, float("inf"))
    default_threshold = None
    direction = "lower"
    undefined = "The response or the reference is empty."

    distance: Distance = "cosine"

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.response.strip() or not sample.reference.strip():
            return Score(None)
        reply = await self.judge.ask(VectorsOf(texts=(sample.response, sample.reference)))
        return Score(embedding_distance(reply.rows[0], reply.rows[1], measure=self.distance))
