import random

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Judge, Support, SupportOf, SupportReply
from llamaindex_rag_eval.metrics.citations import (
    CitationCoverage,
    CitationF1,
    CitationPrecision,
    CitedSentence,
    citation_coverage_score,
    citation_precision_score,
    citation_relevance_score,
)
from llamaindex_rag_eval.metrics.shared.claims import ClaimMatrix, supports_of
from llamaindex_rag_eval.models import ScriptedOracle


def test_a_citation_is_relevant_when_its_source_supports_a_claim_of_the_sentence():
    sentences = [
        CitedSentence((0, 1), supports_of("100", "001")),  # 0 supports, 1 does not
        CitedSentence((7,), supports_of("100")),  # there is no such source
    ]
    assert citation_relevance_score(sentences) == 1 / 3
    assert citation_relevance_score([CitedSentence((), supports_of("1"))]) is None


@pytest.mark.parametrize(
    ("cited", "rows", "needed"),
    [
        ((0,), ("10",), 1),
        ((0, 1), ("11",), 2),  # each supports alone: none is superfluous
        ((0, 1), ("10",), 1),  # 1 does not support, and 0 does without it
        ((0, 1), ("10", "01"), 2),  # neither alone, but neither can be left out
        ((0,), ("10", "01"), 0),  # the sentence is not supported
        ((1, 7), ("01",), 1),  # there is no source 7
        ((0,), (), 0),  # a sentence that claims nothing
    ],
)
def test_a_citation_counts_unless_it_is_superfluous(cited, rows, needed):
    judged = CitedSentence(cited, supports_of(*rows))
    assert citation_precision_score([judged]) == needed / len(cited)
    assert citation_precision_score([CitedSentence((), supports_of("1"))]) is None


def test_precision_and_coverage_equal_those_of_alce_over_random_sentences():
    """ALCE, section 3, step by step: `entails(passages)` stands for its entailment model."""
    draw = random.Random(4)
    for _ in range(2000):
        sentences = [
            CitedSentence(
                tuple(draw.sample(range(4), draw.randint(0, 3))),
                supports_of(*("".join(draw.choices("01", k=4)) for _ in range(draw.randint(1, 2)))),
            )
            for _ in range(draw.randint(1, 4))
        ]
        recalled, counted, citations = 0, 0, 0
        for sentence in sentences:

            def entails(passages, claims=sentence.claims):
                return all(set(passages) & set(claim.sources) for claim in claims)

            recalled += entails(sentence.cited)
            citations += len(sentence.cited)
            if not entails(sentence.cited):
                continue
            for one in sentence.cited:
                if not entails([one]) and entails([n for n in sentence.cited if n != one]):
                    continue
                counted += 1
        expected = counted / citations if citations else None
        assert citation_precision_score(sentences) == expected
        assert citation_coverage_score(sentences) == recalled / len(sentences)


def test_a_sentence_is_covered_when_what_it_cites_supports_all_its_claims():
    jointly = Support(claim="j", verdict="supported", sources=(0, 1), jointly=True)
    sentences = [
        CitedSentence((0, 2), supports_of("100", "001")),  # covered
        CitedSentence((0,), supports_of("100", "001")),  # the second claim is not
        CitedSentence((1,), (jointly,)),  # takes source 0 as well
        CitedSentence((0, 1), (jointly,)),  # covered
        CitedSentence((0,), ()),  # makes no claim
    ]
    assert citation_coverage_score(sentences) == 2 / 4
    assert citation_coverage_score([CitedSentence((0,), ())]) is None


async def test_claims_are_asked_once_a_sentence_and_support_once_for_all():
    def support(request):
        rows = supports_of("10", "10")
        return SupportReply(
            verdicts=tuple(
                row.model_copy(update={"claim": claim})
                for row, claim in zip(rows, request.claims, strict=True)
            )
        )

    def oracle():
        return ScriptedOracle(
            by_request={
                ClaimsOf(text="It is long.", question="q"): Claims(claims=("long",)),
                ClaimsOf(text="It is old.", question="q"): Claims(claims=("old",)),
                SupportOf: support,
            }
        )

    sample = SingleTurnSample(
        query="q", response="It is long [1]. It is old [2].", contexts=("a", "b")
    )
    asked = oracle()
    assert (await CitationPrecision(Judge(asked)).result(sample)).score == 1 / 2
    assert len(asked.asked) == 3
    assert (await CitationCoverage(oracle()).result(sample)).score == 1 / 2
    assert (await CitationF1(oracle()).result(sample)).score == 1 / 2


async def test_a_response_that_cites_nothing_has_coverage_zero_and_no_precision():
    sample = SingleTurnSample(
        query="How long is the Nile?",
        response="The Nile is 6650 km long.",
        contexts=("The Nile is 6650 km long.",),
    )
    assert (await CitationCoverage().result(sample)).score == 0
    assert (await CitationPrecision().result(sample)).reason == "The response cites nothing."


def rows(response=(), by_reference=(), reference=(), by_response=()):
    return ClaimMatrix(
        response_in_contexts=supports_of(*response),
        response_in_reference=supports_of(*by_reference),
        reference_in_contexts=supports_of(*reference),
        reference_in_response=supports_of(*by_response),
        contexts=2,
    )
