"""What evaluation asks, who may answer, and what counts as an answer.

A judgement is one module: the reply, and the request with its checks and, where rules can answer
it, `by_rule`. `prompts` finds it there. Its prompt stands in `languages`, a folder a language.
"""

from llamaindex_rag_eval.judge.claims import Claims as Claims, ClaimsOf as ClaimsOf
from llamaindex_rag_eval.judge.critique import Critique as Critique, CritiqueOf as CritiqueOf
from llamaindex_rag_eval.judge.entities import (
    Entities as Entities,
    EntitiesOf as EntitiesOf,
    Entity as Entity,
)
from llamaindex_rag_eval.judge.grade import Grade as Grade, GradeOf as GradeOf, Level as Level
from llamaindex_rag_eval.judge.judge import (
    Judge as Judge,
    JudgeLike as JudgeLike,
    default_judge as default_judge,
    judge_of as judge_of,
)
from llamaindex_rag_eval.judge.preference import (
    Preference as Preference,
    PreferenceOf as PreferenceOf,
)
from llamaindex_rag_eval.judge.questions import Questions as Questions, QuestionsOf as QuestionsOf
from llamaindex_rag_eval.judge.relevance import (
    Relevance as Relevance,
    RelevanceOf as RelevanceOf,
    RelevanceReply as RelevanceReply,
)
from llamaindex_rag_eval.judge.relevant_sentences import (
    RelevantSentences as RelevantSentences,
    RelevantSentencesOf as RelevantSentencesOf,
)
from llamaindex_rag_eval.judge.similarity import (
    Similarities as Similarities,
    SimilaritiesOf as SimilaritiesOf,
)
from llamaindex_rag_eval.judge.support import (
    Support as Support,
    SupportReply as SupportReply,
    Verdict as Verdict,
)
from llamaindex_rag_eval.judge.support_of import SupportOf as SupportOf
