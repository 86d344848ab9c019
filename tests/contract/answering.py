"""A judge that answers all that metrics ask, for the contract of all metrics."""

import asyncio

from llamaindex_rag_eval.judge import Critique, Grade, Judge, Preference
from llamaindex_rag_eval.judge.intentions import Intention, Intentions
from llamaindex_rag_eval.judge.steps import Steps
from llamaindex_rag_eval.judge.topics import Topics, TurnTopics
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.models import CachedOracle, ScriptedOracle, check_reply


def answer(request):
    """Answer by rule where rules answer, else with something on the scale."""
    if request.ruled:
        return request.by_rule()
    kind = request.reply
    if issubclass(kind, Grade):
        return Grade(level=request.levels[-1].value, reason="It fits.")
    if issubclass(kind, Critique):
        return Critique(verdict=True, reason="It has it.")
    if issubclass(kind, Preference):
        return Preference(winner="first", reason="It is better.")
    if issubclass(kind, Steps):
        return Steps(steps=("Read it.", "Grade it."))
    if issubclass(kind, Topics):
        return Topics(turns=tuple(TurnTopics(topics=(0,), declined=False) for _ in request.turns))
    if issubclass(kind, Intentions):
        return Intentions(intentions=(Intention(intention="A pump.", met=True),))
    raise AssertionError(f"the contract test has no answer to {type(request).__name__}")


class Answering(ScriptedOracle):
    """Answers everything the metrics ask, and remembers it. One answers as the other does."""

    def fingerprint(self, request):
        return f"answering/{request.__name__}"

    async def ask(self, request):
        self.asked.append(request)
        await asyncio.sleep(0)  # lets concurrent askers take turns
        return check_reply(request, answer(request))


def metric_for(spec, oracle=None):
    return metric_of(spec, Judge(CachedOracle(oracle or Answering())))
