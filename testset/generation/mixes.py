"""The default mixes: shares of question types and of styles where nobody says otherwise."""

from collections.abc import Mapping

from testset.golden.item import QuestionType

ANSWERABLE_SHARE = 0.8
"""Share of the questions that the documents answer, unless types are given."""
MODEL_TYPES: Mapping[QuestionType, float] = {
    "single_hop": 0.22,
    "multi_hop": 0.15,
    "reasoning": 0.08,
    "conversational": 0.07,
    "conditional": 0.05,
    "distracting": 0.05,
    "double": 0.05,
    "situational": 0.05,
    "summary": 0.05,
    "table": 0.03,
    "unanswerable": 0.1,
    "false_premise": 0.05,
    "underspecified": 0.05,
}
"""The default mix of a model: question type -> its share; `ANSWERABLE_SHARE` is answerable.
`conflict` is written only when it is asked for: in most collections no documents disagree."""
RULE_TYPES: Mapping[QuestionType, float] = {
    "single_hop": 0.64,
    "table": 0.14,
    "multi_hop": 0.06,
    "conversational": 0.05,
    "unanswerable": 0.06,
    "false_premise": 0.05,
}
"""The default mix of the rules, which write no other types; shares of types that the documents
offer nothing for go to the others."""
STYLES: Mapping[str, float] = {
    "plain": 0.55,
    "web_search": 0.15,
    "formal": 0.1,
    "chat": 0.15,
    "misspelt": 0.05,
}
"""The default mix of styles: style -> its share."""
IN_KEY_WORDS: frozenset[QuestionType] = frozenset({"single_hop", "table", "unanswerable"})
"""The types that ask for one point, which a few key words can name: `web_search`."""
