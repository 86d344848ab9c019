"""ragas 0.4: metrics of the collections return a value with a reason."""

import asyncio

from ragas.llms import llm_factory
from ragas.metrics.collections import ExactMatch, Faithfulness


class Client:
    """Stands for a client of the provider."""

    api_key = "key"
    base_url = None


async def main() -> None:
    """Score fields."""
    scorer = Faithfulness(llm=llm_factory("gpt-4o-mini", provider="openai", client=Client()))
    result = await scorer.ascore(
        user_input="Where does the ferry go?",
        response="It goes to Bergen.",
        retrieved_contexts=["The ferry goes to Bergen."],
    )
    assert 0 <= float(result) == result.value <= 1


asyncio.run(main())
assert ExactMatch().score(reference="a", response="a").value == 1
