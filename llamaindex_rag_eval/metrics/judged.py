"""A metric's judge: the one it was given, or the one of the evaluation that it takes part in."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from llama_index.core.prompts.mixin import PromptDictType

from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from llamaindex_rag_eval.judge.prompts import instructions_of, with_instructions
from llamaindex_rag_eval.models.request import Request

JudgedT = TypeVar("JudgedT", bound="Judged")


class Judged:
    """What may ask a judge.

    Attributes:
        requests: The requests to the judge, one entry a call. What is not of this package may ask
            the judge without saying so here.
    """

    requests: ClassVar[tuple[type[Request[Any]], ...]] = ()

    _judge: Judge | None

    @property
    def judge(self) -> Judge:
        """The judge given, or the one that all metrics share."""
        return judge_of(self._judge)

    def with_judge(self: JudgedT, judge: JudgeLike) -> JudgedT:
        """Return this metric with the judge, unless it was given one of its own."""
        return self if self._judge is not None else self.replace_judge(judge_of(judge))

    def replace_judge(self: JudgedT, judge: Judge) -> JudgedT:
        """Return this metric with the judge, in place of the one it had."""
        return self.map_judges(lambda _: judge)

    def map_judges(self: JudgedT, change: Callable[[Judge], Judge]) -> JudgedT:
        """Return this metric with what a function makes of each judge that it may ask."""
        if not self._asks:
            return self
        made = object.__new__(type(self))  # `copy` would ask a metric how it is pickled
        made.__dict__.update(self.__dict__)
        made._judge = change(self.judge)
        return made

    @property
    def judges(self) -> tuple[Judge, ...]:
        """The judges that it may ask, one or none; of a metric over metrics, theirs."""
        return (self.judge,) if self._asks else ()

    @property
    def _asks(self) -> bool:
        """Whether it may ask a judge: `requests` need not say so of a metric of the user's own."""
        package, _, _ = __name__.partition(".")
        return bool(self.requests) or not type(self).__module__.startswith(f"{package}.")

    def answerable(self) -> bool:
        """Return whether the judge can answer everything the metric asks."""
        return all(self.judge.oracle.answers(request) for request in self.requests)

    def _get_prompts(self) -> PromptDictType:
        return instructions_of(self.judge, self.requests)

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        self._judge = with_instructions(self.judge, self.requests, prompts_dict) or self._judge
