"""Knowledge retention: does the assistant remember what the user has told it?

    knowledge_retention = answers that forget nothing / answers

Source: https://deepeval.com/docs/metrics-knowledge-retention.
"""

import asyncio

from llamaindex_rag_eval.judge import CritiqueOf
from llamaindex_rag_eval.metrics.base import MultiTurnSample, Score
from llamaindex_rag_eval.metrics.conversation import ConversationMetric
from llamaindex_rag_eval.metrics.shared.claims import share
from llamaindex_rag_eval.metrics.shared.criteria import CRITERIA


class KnowledgeRetention(ConversationMetric):
    """Share of the assistant's answers that forget nothing, in [0, 1]; higher is better.

    Asks the judge once for each answer that comes after a message of the user.

    Limitations: Only what an answer asks again or gets wrong counts: an assistant that never uses
    what it was told forgets nothing.
    """

    name = "knowledge_retention"
    needs = frozenset({"messages"})
    requests = (CritiqueOf,)
    undefined = "The assistant answers nothing that the user said."

    async def measure(self, sample: MultiTurnSample) -> Score:
        requests = self.requests_for(sample)
        verdicts = await asyncio.gather(*(self.judge.critique(request) for request in requests))
        value = share(not verdict.verdict for verdict in verdicts)
        evidence = [
            {"answer": request.response, "forgets": verdict.verdict, "reason": verdict.reason}
            for request, verdict in zip(requests, verdicts, strict=True)
        ]
        return Score(value, evidence={"answers": evidence})

    def requests_for(self, sample: MultiTurnSample) -> tuple[CritiqueOf, ...]:
        """Return a request for each answer, with what the user had said by then."""
        said: list[str] = []
        requests = []
        for message in sample.messages:
            if message.role == "user" and message.content.strip():
                said.append(message.content)
            elif message.role == "assistant" and message.content.strip() and said:
                requests.append(
                    CritiqueOf(
                        aspect="forgetfulness",
                        definition=CRITERIA[self.name].definition,
                        response=message.content,
                        contexts=tuple(said),
                    )
                )
        return tuple(requests)
