"""A first score: is an answer supported by what was retrieved? No key, no network."""

import json

from llamaindex_rag_eval import AnswerCorrectness, Faithfulness

contexts = [
    "Opening hours: the library is open from 9:00 to 18:00, Monday to Friday.",
    "Readers may borrow ten books at a time, each for four weeks.",
]

result = Faithfulness().evaluate(
    query="When is the library open, and how many books may I borrow?",
    response="The library is open from 9:00 to 18:00. Readers may borrow twelve books at a time.",
    contexts=contexts,
)
print(result.feedback)
print(json.dumps(result.evidence, indent=1))  # each claim, its verdict, and the quote for it

result = AnswerCorrectness().evaluate(
    query="How many books may I borrow?",
    response="Readers may borrow ten books.",
    reference="Readers may borrow ten books at a time.",
)
print(result.feedback)

# A response without claims has no score: undefined, with the reason, and neither 0 nor 1.
result = Faithfulness().evaluate(query="Is it open on Sunday?", response="", contexts=contexts)
print(f"score {result.score}: {result.reason}")
