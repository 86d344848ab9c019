"""What the server counts, and the report that it gives."""

import time
from collections import Counter
from dataclasses import asdict, dataclass, field

# Enough to see what is wrong with a responder, without keeping a run of it.
ERRORS_KEPT = 10


@dataclass(frozen=True, kw_only=True)
class Tally:
    """What a server has counted since its start or its last reset.

    Attributes:
        calls: Model calls that arrived.
        finished: Calls that are over, whatever their outcome.
        answered: Calls that got a whole reply without a fault.
        by_outcome: Finished calls by `answered`, the fault's kind, `abandoned` (the client hung
            up first), `invalid_request` or `responder_error`.
        by_endpoint: Calls by `chat/completions` and `embeddings`.
        by_name: Calls by schema, tool or marker name; `text` and `embeddings` where there is none.
        prompt_tokens: In replies with status 200, estimated.
        cached_tokens: Those of `prompt_tokens` in a prefix shared with an earlier prompt.
        completion_tokens: In replies with status 200, estimated.
        in_flight: Calls that wait for their reply now.
        max_in_flight: The most calls that waited at one time.
        distinct_bodies: Different request bodies.
        answered_again: Bodies that were answered without a fault more than once.
        connections: TCP connections that model calls came over, by their first call.
        cpu_seconds: Processor time of the server.
        errors: What responders raised, the first few.
    """

    calls: int
    finished: int
    answered: int
    by_outcome: dict[str, int]
    by_endpoint: dict[str, int]
    by_name: dict[str, int]
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    in_flight: int
    max_in_flight: int
    distinct_bodies: int
    answered_again: int
    connections: int
    cpu_seconds: float
    errors: list[str]


@dataclass
class Stats:
    """The running counts behind a `Tally`."""

    by_outcome: Counter[str] = field(default_factory=Counter)
    by_endpoint: Counter[str] = field(default_factory=Counter)
    by_name: Counter[str] = field(default_factory=Counter)
    attempts: dict[bytes, int] = field(default_factory=dict)
    answers: dict[bytes, int] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    in_flight: int = 0
    max_in_flight: int = 0
    connections: int = 0
    cpu_start: float = field(default_factory=time.process_time)

    def start(self, digest: bytes, *, endpoint: str) -> int:
        """Count an arrival, and return which attempt at this body it is, from 1."""
        self.by_endpoint[endpoint] += 1
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)
        attempt = self.attempts[digest] = self.attempts.get(digest, 0) + 1
        return attempt

    def finish(self, digest: bytes, outcome: str) -> None:
        """Count the end of a call."""
        self.by_outcome[outcome] += 1
        self.in_flight -= 1
        if outcome == "answered":
            self.answers[digest] = self.answers.get(digest, 0) + 1

    def spend(self, *, prompt: int, cached: int, completion: int) -> None:
        """Count the tokens of a reply."""
        self.prompt_tokens += prompt
        self.cached_tokens += cached
        self.completion_tokens += completion

    def blame(self, error: str) -> None:
        """Keep what a responder raised, if there is room."""
        if len(self.errors) < ERRORS_KEPT:
            self.errors.append(error)

    def report(self) -> dict[str, object]:
        """Return the fields of a `Tally`."""
        tally = Tally(
            calls=sum(self.by_endpoint.values()),
            finished=sum(self.by_outcome.values()),
            answered=self.by_outcome.get("answered", 0),
            by_outcome=dict(self.by_outcome),
            by_endpoint=dict(self.by_endpoint),
            by_name=dict(self.by_name),
            prompt_tokens=self.prompt_tokens,
            cached_tokens=self.cached_tokens,
            completion_tokens=self.completion_tokens,
            in_flight=self.in_flight,
            max_in_flight=self.max_in_flight,
            distinct_bodies=len(self.attempts),
            answered_again=sum(times > 1 for times in self.answers.values()),
            connections=self.connections,
            cpu_seconds=time.process_time() - self.cpu_start,
            errors=list(self.errors),
        )
        return asdict(tally)
