"""ragas 0.2: one sample, by the methods of a metric."""

import asyncio

from ragas.dataset_schema import SingleTurnSample
from ragas.llms import LangchainLLMWrapper, llm_factory
from ragas.metrics import BleuScore, Faithfulness, NonLLMStringSimilarity

sample = SingleTurnSample(
    user_input="Where does the ferry go?",
    response="It goes to Bergen.",
    reference="It goes to Bergen.",
    retrieved_contexts=["The ferry goes to Bergen."],
)
scorer = Faithfulness(llm=LangchainLLMWrapper(llm_factory("gpt-4o-mini")))
assert 0 <= asyncio.run(scorer.single_turn_ascore(sample)) <= 1
assert NonLLMStringSimilarity().single_turn_score(sample) == 1
assert BleuScore().single_turn_score(sample) > 0.99
