"""Traffic: who asks which questions, in which style and how hard, with the share of each.

After the categories of Filice et al. (2025), "Generating Diverse Q&A Benchmarks for RAG Evaluation
with DataMorgana", https://arxiv.org/abs/2501.12789: users and questions are described with their
probabilities, and each question is of categories that are drawn. Here nothing is drawn: shares are
shared out in whole numbers, so that a set of any size keeps to them.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Literal, get_args

from llamaindex_rag_eval.errors import InputError
from testset.corpus.documents import shuffle_key
from testset.generation.mixes import KINDS, STYLES
from testset.generation.quotas import Stratum, largest_remainder
from testset.golden.item import QuestionType

Axis = Literal["user", "type", "kind", "style", "language", "difficulty", "length"]
AXES: tuple[Axis, ...] = get_args(Axis)
"""What a category may say of its questions."""
KNOWN: Mapping[Axis, tuple[str, ...]] = {
    "type": get_args(QuestionType),
    "kind": tuple(kind for kinds in KINDS.values() for kind in kinds),
    "style": tuple(STYLES),
    "difficulty": ("easy", "medium", "hard"),
    "length": ("short", "medium", "long"),
}
"""Axis -> the values that it has; any text is one of the others."""
WHOLE = (1.0, 100.0)
"""What shares add up to: parts of one, or percents."""
ROUNDING = 0.01
"""By how much of the whole they may miss it, as 33, 33 and 33 do."""

SHORT, LONG = 8, 16
"""Words up to which a question that rules wrote is short, and from which it is long."""
CHARACTERS_PER_WORD = 3
"""Characters of Chinese and Japanese, which have no blanks, that count as a word."""


@dataclass(frozen=True)
class Target:
    """One question that is wanted; an empty field leaves it open.

    Attributes:
        category: The number, from 0, of the category it is of.
        user: Who asks.
        type: The question type.
        kind: What is asked for; finer than the type.
        style: The manner of asking.
        language: The language to ask in.
        difficulty: How hard its evidence is to find.
        length: How long the question is.
        topic: The topic of the documents.
        complete: Whether its answer lacks nothing; what lacks something is taken last.
    """

    complete: ClassVar[str] = "yes"
    category: int = 0
    user: str = ""
    type: str = ""
    kind: str = ""
    style: str = ""
    language: str = ""
    difficulty: str = ""
    length: str = ""
    topic: str = ""

    @property
    def stratum(self) -> Stratum:
        """Its topic and type."""
        return Stratum(self.topic, self.type)

    @property
    def answered(self) -> str:
        """Whether the documents answer it: "yes" or "no"; empty without a type."""
        return self.stratum.answered


@dataclass(frozen=True)
class Category:
    """Questions of one part of the traffic.

    Attributes:
        share: Its share of the traffic, above 0.
        axes: What its questions are: for each axis the values with their shares. An axis that is
            not there is left open.
        name: What it is called.
        about: Words by which the topics that it is about are looked for; empty for all.
    """

    share: float
    axes: Mapping[Axis, Mapping[str, float]] = field(default_factory=dict)
    name: str = ""
    about: str = ""

    def __str__(self) -> str:
        rows = [f"about: {self.about}"] if self.about else []
        for axis, values in self.axes.items():
            whole = sum(values.values())
            shares = (f"{value} {100 * share / whole:.0f} %" for value, share in values.items())
            rows.append(f"{axis}: {' '.join(values) if len(values) == 1 else ', '.join(shares)}")
        return f"{self.share:.0f} % {self.name or 'questions'}: {'; '.join(rows) or 'any'}"


@dataclass(frozen=True)
class Traffic:
    """Categories of questions with their shares.

    Attributes:
        categories: The categories; their shares add up to 1 or to 100.
        source: Where they come from, in words.

    Raises:
        InputError: There is no category, shares do not add up, or a value is unknown.
    """

    categories: tuple[Category, ...]
    source: str = "traffic"

    def __post_init__(self) -> None:
        shares = {f"category {n}": c.share for n, c in enumerate(self.categories, 1)}
        check_shares(shares, "the shares of the categories")
        for number, category in enumerate(self.categories, 1):
            for axis, values in category.axes.items():
                check_shares(values, f"the shares of {axis!r} in category {number}")
                for value in values:
                    check_value(axis, value)

    @classmethod
    def read(cls, path: str | Path) -> "Traffic":
        """Return the traffic that a YAML file describes; `rag-eval generate --help` has the format.

        Raises:
            DatasetError: The file cannot be read or is no traffic; the message names line and key.
        """
        from llamaindex_rag_eval.data.yaml_file import read_yaml
        from testset.generation.traffic_file import TrafficFile

        entries = read_yaml(path, TrafficFile).categories
        return cls(tuple(entry.category for entry in entries), source=Path(path).name)

    @property
    def needs_model(self) -> bool:
        """Whether it says who asks or in which style, which only a model can follow."""
        return any(axis in category.axes for category in self.categories for axis in VOICE)

    def targets(self, size: int, *, seed: int) -> tuple[Target, ...]:
        """Return as many targets, in the shares of the categories and of their values.

        Args:
            size: How many, 1 or more.
            seed: Decides which values meet in one target.

        Example:
            >>> half = {"style": {"chat": 50.0, "formal": 50.0}}
            >>> found = Traffic((Category(100, half),)).targets(4, seed=7)
            >>> sorted(target.style for target in found)
            ['chat', 'chat', 'formal', 'formal']
        """
        weights = {f"{n:06}": c.share for n, c in enumerate(self.categories)}
        counts = largest_remainder(weights, size)
        targets = [Target(int(name)) for name in sorted(counts) for _ in range(counts[name])]
        for axis in AXES:
            values = self._values(axis, targets, seed)
            pairs = zip(targets, values, strict=True)
            targets = [replace(target, **{axis: value}) for target, value in pairs]  # type: ignore[arg-type]  # an axis is text
        return tuple(targets)

    def _values(self, axis: Axis, targets: Sequence[Target], seed: int) -> list[str]:
        """Return a value for each target: the one that is farthest behind its share so far.

        Targets take turns in another order on each axis, so that values of two axes meet freely.
        """
        drawn = [""] * len(targets)
        behind: dict[str, float] = defaultdict(float)
        for number in sorted(range(len(drawn)), key=lambda n: shuffle_key(seed, axis, n)):
            target = targets[number]
            shares = self.categories[target.category].axes.get(axis, {})
            if axis == "kind" and target.type:
                own = KINDS.get(target.type, ())
                shares = {kind: share for kind, share in shares.items() if kind in own}
            whole = sum(shares.values())
            for value, share in shares.items():
                behind[value] += share / whole
            if shares:
                value = max(sorted(shares), key=lambda name: behind[name])
                behind[value] -= 1
                drawn[number] = value
        return drawn


VOICE: tuple[Axis, ...] = ("user", "style")
"""Axes that rules cannot follow: they ask plainly, and as nobody in particular."""


def check_value(axis: Axis, value: str) -> None:
    """Raise `InputError` unless a value is one that its axis has."""
    known = KNOWN.get(axis, ())
    if not value.strip() or (known and value not in known):
        expected = f"one of {', '.join(known)}" if known else "a text"
        raise InputError(f"no {axis} is named {value!r}; expected {expected}")


def check_shares(shares: Mapping[str, float], what: str) -> None:
    """Raise `InputError` unless shares are above 0 and add up to 1 or to 100."""
    if not shares:
        raise InputError(f"{what} are none; expected at least one")
    for name, share in shares.items():
        if not 0 < share <= max(WHOLE):
            raise InputError(f"{what}: {name!r} has {share:g}; expected a number above 0")
    total = sum(shares.values())
    if not any(abs(total - whole) <= ROUNDING * whole for whole in WHOLE):
        raise InputError(f"{what} add up to {total:g}; expected 100, or 1")


def length_of(question: str, language: str) -> Literal["short", "medium", "long"]:
    """Return how long a text of a language is, as a question.

    Example:
        >>> length_of("Who built it?", "en"), length_of("何年に建てられましたか", "ja")
        ('short', 'short')
    """
    cjk = language in {"ja", "zh"}
    words = len(question) // CHARACTERS_PER_WORD if cjk else len(question.split())
    return "short" if words <= SHORT else "long" if words >= LONG else "medium"
