"""What evaluation asks, who may answer, and what counts as an answer.

A judgement is one module: the reply, the prompt in English, and the request with its checks and,
where rules can answer it, `by_rule`. `prompts` finds it there.
"""

from llamaindex_rag_eval.judge.claims import Claims, ClaimsOf
from llamaindex_rag_eval.judge.critique import Critique, CritiqueOf
from llamaindex_rag_eval.judge.entities import Entities, EntitiesOf, Entity
from llamaindex_rag_eval.judge.grade import Grade, GradeOf, Level
from llamaindex_rag_eval.judge.judge import Judge, JudgeLike, default_judge, judge_of
from llamaindex_rag_eval.judge.preference import Preference, PreferenceOf
from llamaindex_rag_eval.judge.questions import Questions, QuestionsOf
from llamaindex_rag_eval.judge.relevance import Relevance, RelevanceOf, RelevanceReply
from llamaindex_rag_eval.judge.relevant_sentences import RelevantSentences, RelevantSentencesOf
from llamaindex_rag_eval.judge.similarity import Similarities, SimilaritiesOf
from llamaindex_rag_eval.judge.support import Support, SupportReply, Verdict
from llamaindex_rag_eval.judge.support_of import SupportOf

__all__ = [
    "Claims",
    "ClaimsOf",
    "Critique",
    "CritiqueOf",
    "Entities",
    "EntitiesOf",
    "Entity",
    "Grade",
    "GradeOf",
    "Judge",
    "JudgeLike",
    "Level",
    "Preference",
    "PreferenceOf",
    "Questions",
    "QuestionsOf",
    "Relevance",
    "RelevanceOf",
    "RelevanceReply",
    "RelevantSentences",
    "RelevantSentencesOf",
    "Similarities",
    "SimilaritiesOf",
    "Support",
    "SupportOf",
    "SupportReply",
    "Verdict",
    "default_judge",
    "judge_of",
]
