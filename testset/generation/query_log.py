"""Query logs: what people asked gives the traffic of a golden set, and no question of it.

Languages and lengths are counted. Who asks, types, kinds and styles are told by a model, for a
sample of the questions, in few calls; without one they are left open.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import DatasetError, ReplyError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.rules.tokens import language_of
from testset.checks.answers import letters_of
from testset.corpus.documents import shuffle_key
from testset.generation.mixes import KINDS, STYLES
from testset.generation.traffic import Axis, Category, Traffic, length_of
from testset.requests.classes import ClassesOf, Classified

NEAR_COPY = 0.85
"""Similarity, in [0, 1], of the letters or of the sorted words from which one is a near copy."""
AT_ONCE = 50
"""Questions in one call of a model."""
CALLS = 3
"""Calls at most: shares from 150 questions are sure to 8 points."""

Known = tuple[str, Classified | None]
"""A question of the log, and what a model says of it."""


@dataclass(frozen=True)
class QueryLog:
    """Questions that people have asked.

    Attributes:
        questions: The questions, as often as they were asked.
        source: Where they come from, in words.

    Raises:
        DatasetError: There is no question.
    """

    questions: tuple[str, ...]
    source: str = "log"

    def __post_init__(self) -> None:
        if not self.questions:
            raise DatasetError("holds no question; expected a column 'query'", file=self.source)

    @classmethod
    def read(cls, path: str | Path) -> "QueryLog":
        """Return the questions of a file, `.csv` or `.jsonl`, with a column or field `query`.

        Raises:
            DatasetError: The file cannot be read, or holds no question.
        """
        samples = EvaluationDataset.read(path)
        questions = (s.query.strip() for s in samples if isinstance(s, SingleTurnSample))
        return cls(tuple(filter(None, questions)), source=Path(path).name)

    def holds(self, question: str) -> bool:
        """Return whether a question is one of the log, or nearly so.

        Example:
            >>> log = QueryLog(("How do I reset the Solo rack?",))
            >>> log.holds("how do i reset the solo rack"), log.holds("Who made the Solo rack?")
            (True, False)
        """
        return any(
            get_close_matches(form, known, n=1, cutoff=NEAR_COPY)
            for form, known in zip(_forms(question), self._known, strict=True)
        )

    @cached_property
    def _known(self) -> Sequence[Sequence[str]]:
        """Return all questions in each of their forms."""
        return [*zip(*map(_forms, dict.fromkeys(self.questions)), strict=True)]


def _forms(question: str) -> tuple[str, str]:
    """Return what questions are compared by: their letters, and their words in any order."""
    return letters_of(question), " ".join(sorted(question.casefold().split()))


async def traffic_in_log(log: QueryLog, judge: Judge | None, *, seed: int) -> Traffic:
    """Return the traffic of a log: a category for each kind of people who ask.

    Args:
        log: The questions.
        judge: The model that tells who asks what; without one, one category of languages and
            lengths.
        seed: Of the sample.
    """
    distinct = sorted(dict.fromkeys(log.questions), key=lambda text: shuffle_key(seed, text))
    sample = distinct[: AT_ONCE * CALLS]
    classes = {} if judge is None else await _classes(sample, judge)
    known = [(text, classes.get(text)) for text in log.questions if not classes or text in classes]
    by_user: dict[str, list[Known]] = defaultdict(list)
    for text, row in known:
        by_user["" if row is None else row.user].append((text, row))
    categories = (
        Category(100 * len(rows) / len(known), _axes(user, rows))
        for user, rows in sorted(by_user.items(), key=lambda row: (-len(row[1]), row[0]))
    )
    by_model = f", {len(classes)} of them told apart by the model" if classes else ""
    return Traffic(tuple(categories), source=f"{log.source}: {len(distinct)} questions{by_model}")


async def _classes(questions: Sequence[str], judge: Judge) -> dict[str, Classified]:
    """Return what a model says of questions; nothing of those whose reply cannot be used."""
    classes: dict[str, Classified] = {}
    for start in range(0, len(questions), AT_ONCE):
        part = tuple(questions[start : start + AT_ONCE])
        users = tuple(dict.fromkeys(entry.user for entry in classes.values()))
        try:
            reply = await judge.ask(ClassesOf(questions=part, users=users))
        except ReplyError:
            continue
        classes |= dict(zip(part, reply.questions, strict=True))
    return classes


def _axes(user: str, rows: Sequence[Known]) -> dict[Axis, Mapping[str, float]]:
    """Return what the questions of one kind of people are."""
    languages = [str(language_of(text)) for text, _ in rows]
    lengths = (length_of(text, code) for (text, _), code in zip(rows, languages, strict=True))
    classes = [row for _, row in rows if row is not None]
    values: dict[Axis, Iterable[str]] = {
        "user": [user] if user else [],
        "type": [entry.type for entry in classes],
        "kind": [row.kind for row in classes if row.kind in KINDS.get(row.type, ())],
        "style": [entry.style if entry.style in STYLES else "plain" for entry in classes],
        "language": [code for code in languages if code != "other"],
        "length": lengths,
    }
    counted = ((axis, Counter(entries)) for axis, entries in values.items())
    return {
        axis: {name: 100 * count / counts.total() for name, count in counts.items()}
        for axis, counts in counted
        if counts
    }
