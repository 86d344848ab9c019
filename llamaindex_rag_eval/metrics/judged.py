"""A metric's judge: the one it was given, or the one of the evaluation that it takes part in."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from llama_index.core.prompts.mixin import PromptDictType, PromptMixinType

from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from llamaindex_rag_eval.judge.prompts import instructions_of, with_instructions
from llamaindex_rag_eval.metrics.settings import Configured
from llamaindex_rag_eval.models.request import Request

JudgedT = TypeVar("JudgedT", bound="Judged")


class Judged(Configured):
    """What may ask a judge.

    A metric over other metrics has them as settings: their judges are asked, and not its own.

    Attributes:
        requests: The requests to the judge, one entry a call. What is not of this package may ask
            the judge without saying so here.
    """

    name: ClassVar[str]
    requests: ClassVar[tuple[type[Request[Any]], ...]] = ()

    def __post_init__(self) -> None:
        """Give the judge to the metrics that this one is made of."""
        if (judge := self._judge) is not None:
            self._change_parts(lambda part: part.with_judge(judge))

    @property
    def judge(self) -> Judge:
        """The judge given, or the one that all metrics share."""
        return self._parts[0].judge if self._parts else judge_of(self._judge)

    def with_judge(self: JudgedT, judge: JudgeLike) -> JudgedT:
        """Return this metric with the judge, unless it was given one of its own."""
        if self._parts:
            return self._copy()._change_parts(lambda part: part.with_judge(judge))
        return self if self._judge is not None else self.replace_judge(judge_of(judge))

    def replace_judge(self: JudgedT, judge: Judge) -> JudgedT:
        """Return this metric with the judge, in place of the one it had."""
        return self.map_judges(lambda _: judge)

    def map_judges(self: JudgedT, change: Callable[[Judge], Judge]) -> JudgedT:
        """Return this metric with what a function makes of each judge that it may ask."""
        if self._parts:
            return self._copy()._change_parts(lambda part: part.map_judges(change))
        if not self._asks:
            return self
        changed = self._copy()
        changed._judge = change(self.judge)
        return changed

    @property
    def judges(self) -> tuple[Judge, ...]:
        """The judges that it may ask, one or none; of a metric over metrics, theirs."""
        if self._parts:
            return tuple(judge for part in self._parts for judge in part.judges)
        return (self.judge,) if self._asks else ()

    @property
    def _asks(self) -> bool:
        """Whether it may ask a judge: `requests` need not say so of a metric of the user's own."""
        package, _, _ = __name__.partition(".")
        return bool(self.requests) or not type(self).__module__.startswith(f"{package}.")

    @property
    def _parts(self) -> tuple["Judged", ...]:
        """The metrics among its settings."""
        values = (getattr(self, name) for name in self._setting_fields)
        several = (value if isinstance(value, tuple) else (value,) for value in values)
        return tuple(part for parts in several for part in parts if isinstance(part, Judged))

    def _copy(self: JudgedT) -> JudgedT:
        copied = object.__new__(type(self))  # `copy` would ask a metric how it is pickled
        copied.__dict__.update(self.__dict__)
        return copied

    def _change_parts(self: JudgedT, change: Callable[["Judged"], "Judged"]) -> JudgedT:
        """Replace the metrics among its settings; only what was just made may be changed."""
        for name in self._setting_fields:
            value = getattr(self, name)
            if isinstance(value, Judged):
                setattr(self, name, change(value))
            elif isinstance(value, tuple) and any(isinstance(part, Judged) for part in value):
                setattr(self, name, tuple(map(change, value)))
        return self

    def answerable(self) -> bool:
        """Return whether everything that the metric asks can be answered."""
        if self._parts:
            return all(part.answerable() for part in self._parts)
        return all(self.judge.oracle.answers(request) for request in self.requests)

    def _get_prompts(self) -> PromptDictType:
        return {} if self._parts else instructions_of(self.judge, self.requests)

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """Change the prompts of its own; those of parts are changed by their names."""
        if not self._parts:
            self._judge = with_instructions(self.judge, self.requests, prompts_dict) or self._judge

    def _get_prompt_modules(self) -> PromptMixinType:
        """Return the parts by name, so that prompts are `faithfulness:claims`.

        A second part of a name is `faithfulness_2`.
        """
        modules: PromptMixinType = {}
        names = [part.name for part in self._parts]
        for number, part in enumerate(self._parts):
            before = names[:number].count(part.name)
            modules[f"{part.name}_{before + 1}" if before else part.name] = part  # type: ignore[assignment]
        return modules
