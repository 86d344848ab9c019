"""The admission machine over a clock of its own: any calls, answers, failures in any order."""

import math
from random import Random

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from llamaindex_rag_eval.errors import BudgetError, CallError, EndpointError
from llamaindex_rag_eval.models import Budget, Limit
from llamaindex_rag_eval.models.admission import Admission, Call, Window
from llamaindex_rag_eval.models.retry import RetryPolicy

ERRORS = {
    "refused": CallError("refused", transient=True, failure="connection refused"),
    "lost": CallError("lost", transient=True),
    "busy": CallError("busy", status=429, transient=True),
    "overloaded": CallError("overloaded", status=503, retry_after=5.0, transient=True),
    "late": CallError("late", transient=True, failure="late"),
    "bad": CallError("bad", status=400),
}


def admission_of(limit: Limit) -> Admission:
    """Return a machine whose jitter is always the same."""
    random, spread = Random(0), (0.5, 1.0)
    policy = RetryPolicy(2, 0.5, 4.0, spread, random=random)
    return Admission(limit, policy)


class Calls(RuleBasedStateMachine):
    """Calls that ask, go out and end in any order; none is ever in two states."""

    def __init__(self) -> None:
        super().__init__()
        self.limit = Limit(4, requests_per_minute=120)
        self.admission, self.window = admission_of(self.limit), Window(4)
        self.now = 100.0
        self.waiting: dict[Call, float] = {}  # -> when it asks again
        self.out: list[Call] = []
        self.went: list[float] = []

    @rule(seconds=st.floats(0.01, 40.0))
    def time_goes_on(self, seconds: float) -> None:
        self.now += seconds

    @rule(tokens=st.integers(1, 50))
    def somebody_calls(self, tokens: int) -> None:
        self.waiting[Call(self.window, "m", tokens)] = self.now

    @rule(pick=st.randoms(use_true_random=False))
    def all_that_may_ask(self, pick: Random) -> None:
        due = [call for call, when in self.waiting.items() if when <= self.now]
        pick.shuffle(due)
        for call in due:
            self.ask(call)

    def ask(self, call: Call) -> None:
        try:
            seconds = self.admission.ask(call, self.now)
        except EndpointError:
            self.end(call)
            return
        assert seconds >= 0
        self.waiting[call] = self.now + seconds
        if not seconds:
            assert self.now >= call.not_before
            del self.waiting[call]
            self.out.append(call)
            self.went.append(self.now)

    def end(self, call: Call) -> None:
        self.waiting.pop(call, None)
        self.wake(self.admission.leave(call))

    def wake(self, calls: list[Call]) -> None:
        for admitted in calls:
            assert self.waiting[admitted] == math.inf
            self.waiting[admitted] = self.now

    @precondition(lambda self: self.out)
    @rule(number=st.integers(0, 3), error=st.sampled_from([None, *ERRORS]))
    def a_call_in_flight_ends(self, number: int, error: str | None) -> None:
        call = self.out.pop(number % len(self.out))
        try:
            self.wake(self.admission.done(call, ERRORS[error] if error else None, self.now))
        except CallError:
            self.end(call)
            return
        if error:  # in its room, or later
            assert (call.epoch is None) == (call.not_before > self.now)
            self.waiting[call] = max(self.now, call.not_before)
        else:
            assert call.epoch is None

    @precondition(lambda self: self.waiting)
    @rule(number=st.integers(0, 9))
    def somebody_gives_up(self, number: int) -> None:
        self.end(list(self.waiting)[number % len(self.waiting)])

    @invariant()
    def what_is_held_is_held_by_somebody(self) -> None:
        calls = [*self.waiting, *self.out]
        inside = [call for call in calls if call.epoch is not None]
        assert len(inside) == self.window.in_flight <= 4
        assert set(self.out) <= set(inside)
        assert sum(call.probes for call in calls) <= 1
        counted = sum(call.tokens for call in calls if call.start is not None)
        assert self.admission._tokens_in_flight == counted

    @invariant()
    def no_minute_has_more_than_its_rate(self) -> None:
        assert sum(self.now - 60 < moment for moment in self.went) <= 120

    @invariant()
    def nobody_waits_for_room_that_is_there(self) -> None:
        room = self.window.in_flight < int(self.window.size)
        assert not (room and any(math.isinf(when) for when in self.waiting.values()))

    def teardown(self) -> None:
        """End all calls: nothing is held any more."""
        for call in [*self.out, *self.waiting]:
            self.end(call)
        assert (self.window.in_flight, len(self.window.waiting)) == (0, 0)
        assert self.admission._tokens_in_flight == self.admission._in_flight == 0


TestCalls = Calls.TestCase
TestCalls.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


def test_a_budget_refuses_what_calls_in_flight_may_spend() -> None:
    admission, window = admission_of(Limit(8, budget=Budget(calls=2))), Window(8)
    assert [admission.ask(Call(window, "m"), 0.0) for _ in range(2)] == [0.0, 0.0]
    with pytest.raises(BudgetError, match="the budget of 2 calls is spent"):
        admission.ask(Call(window, "m"), 0.0)


def test_a_budget_is_spent_whole_where_many_calls_end_at_once() -> None:
    limit = Limit(4, budget=Budget(calls=7))
    admission, window = admission_of(limit), Window(4)
    calls = [Call(window, "m") for _ in range(9)]
    assert [admission.ask(call, 0.0) for call in calls[:4]] == [0.0] * 4
    assert {admission.ask(call, 0.0) for call in calls[4:]} == {math.inf}
    for call in calls[:4]:
        admission.done(call, None, 1.0)
        limit.usage.add(model="m", request="r", prompt=1, completion=1)
    assert window.in_flight == 4  # four others have room: three of them may go out
    assert [admission.ask(call, 1.0) for call in calls[4:7]] == [0.0] * 3
    with pytest.raises(BudgetError):
        admission.ask(calls[7], 1.0)


def test_a_failed_call_waits_longer_each_time_and_gives_up() -> None:
    admission, call, now, waits = admission_of(Limit(8)), Call(Window(8), "m"), 0.0, []
    for _ in range(2):
        assert admission.ask(call, now) == 0
        admission.done(call, ERRORS["busy"], now)
        waits.append(call.not_before - now)
        assert admission.ask(call, now) == waits[-1]
        now = call.not_before
    assert 0.25 <= waits[0] <= 0.5 <= waits[1] <= 1.0
    assert admission.ask(call, now) == 0
    with pytest.raises(CallError, match="busy"):
        admission.done(call, ERRORS["busy"], now)
