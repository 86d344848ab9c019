"""Question specs: for each question to be written, its type, passages, persona, style and length.

Everything is drawn by hashes of the seed and the place of a passage, so that equal inputs give
equal specs, and a new document changes only the specs that it is drawn for.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from testset.corpus.documents import shuffle_key
from testset.corpus.prepared import PreparedCorpus
from testset.generation.config import LENGTHS, GenerationConfig
from testset.generation.links import partners_of
from testset.generation.quotas import Stratum

__all__ = ["QuestionSpec", "QuestionSpecs"]

Length = Literal["short", "medium", "long"]

LEAST_CHARACTERS = 80
"""Characters of a passage at least; a shorter one states too little to ask about."""
PASSAGES: Mapping[str, int] = {"multi_hop": 2, "summary": 3, "underspecified": 2, "conflict": 2}
"""How many passages, of different documents, a question of a type needs; 1 for other types."""
KINDS: Mapping[str, tuple[str, ...]] = {
    "single_hop": ("factoid", "numeric", "definition", "list", "procedure"),
    "multi_hop": ("bridge", "comparison", "across"),
}
"""Kinds of question that passages of a type take in turns; other types have one."""


@dataclass(frozen=True, slots=True)
class QuestionSpec:
    """One question to be written.

    Attributes:
        stratum: Its topic and type.
        passages: Numbers of the passages it is about; the first one is of the topic.
        distractor: Number of a passage to take a distracting remark from, if the type needs one.
        kind: What is asked for; finer than the type.
        persona: Who asks, in a sentence.
        style: The style of the question.
        length: The length of the question.
        language: The language of the question, an ISO 639-1 code.
        rotation: A number drawn from the place, to choose among what takes turns.
    """

    stratum: Stratum
    passages: tuple[int, ...]
    distractor: int | None
    kind: str
    persona: str
    style: str
    length: Length
    language: str
    rotation: int

    @property
    def type(self) -> str:
        """The question type."""
        return self.stratum.type


class QuestionSpecs:
    """Hand out the specs of each stratum, about passages that were not used yet first.

    Args:
        prepared: The documents.
        config: Styles, language and seed.
        personas: Who asks; they take turns.
    """

    def __init__(
        self, prepared: PreparedCorpus, config: GenerationConfig, personas: Sequence[str]
    ) -> None:
        self._index, self._personas, self._seed = prepared.index, personas, config.seed
        self._styles, self._language = config.style_shares, config.language
        places = {id(passage): number for number, passage in enumerate(self._index.passages)}
        self._by_topic: dict[str, list[int]] = defaultdict(list)
        for passage in prepared.kept:
            if len(passage.text) >= LEAST_CHARACTERS or len(prepared.kept) == 1:
                topic = prepared.topics[passage.document.doc_id]
                self._by_topic[topic].append(places[id(passage)])
        self._left: dict[Stratum, list[int]] = {}
        self._used: Counter[int] = Counter()

    def count(self, type_: str) -> int:
        """Return how many passages a question of this type can be about."""
        return sum(len(self._untried(Stratum(topic, type_))) for topic in self._by_topic)

    def left(self, stratum: Stratum) -> int:
        """Return how many passages of a stratum have not been tried."""
        return len(self._untried(stratum))

    def take(self, stratum: Stratum, *, again: bool = False) -> QuestionSpec | None:
        """Return the next spec of a stratum, or `None` if all its passages were tried.

        Args:
            stratum: The topic and type.
            again: Whether to prefer a passage that was read already, whose facts are paid for;
                otherwise the one that was read least often comes first.
        """
        order = self._untried(stratum)
        if not order:
            return None
        if again:
            number = min(order, key=lambda entry: not self._used[entry])
        else:
            number = min(order, key=lambda entry: self._used[entry])
        order.remove(number)
        spec = self._spec(stratum, number)
        self._used.update(spec.passages)
        return spec

    def _untried(self, stratum: Stratum) -> list[int]:
        """Return the passages of a stratum that no spec was made of yet, in the order to try."""
        if stratum not in self._left:
            of_topic = self._by_topic.get(stratum.topic, ())
            fitting = [n for n in of_topic if self._fits(n, stratum.type)]
            self._left[stratum] = sorted(fitting, key=lambda n: self._hash(n, stratum.type))
        return self._left[stratum]

    def _fits(self, number: int, type_: str) -> bool:
        passage = self._index.passages[number]
        if type_ == "table":
            return any(block.kind == "row" for block in passage.blocks)
        return bool(passage.text)

    def _hash(self, number: int, salt: str) -> str:
        passage = self._index.passages[number]
        place = f"{salt}/{passage.document.doc_id}"
        return shuffle_key(self._seed, place, passage.start, passage.end)

    def _spec(self, stratum: Stratum, number: int) -> QuestionSpec:
        type_ = stratum.type
        more = 1 if type_ == "distracting" else PASSAGES.get(type_, 1) - 1
        partners = partners_of(self._index, number, count=more) if more else ()
        joined = partners if type_ in PASSAGES else ()
        kinds = KINDS.get(type_, ("",))
        rotation = int(self._hash(number, f"turn/{type_}")[:8], 16)
        length = _draw(LENGTHS, self._hash(number, f"length/{type_}"))
        persona = self._personas[rotation % len(self._personas)] if self._personas else ""
        return QuestionSpec(
            stratum=stratum,
            passages=(number, *joined),
            distractor=partners[0] if type_ == "distracting" and partners else None,
            kind=kinds[rotation % len(kinds)],
            persona=persona,
            style=_draw(self._styles, self._hash(number, f"style/{type_}")),
            length="short" if length == "short" else "long" if length == "long" else "medium",
            language=self._language or self._index.passages[number].language,
            rotation=rotation,
        )


def _draw(shares: Mapping[str, float], digest: str) -> str:
    """Return one of the names, drawn by a hash in proportion to the shares."""
    left = int(digest[:12], 16) / 16**12 * sum(shares.values())
    for name, share in sorted(shares.items()):
        if left < share:
            return name
        left -= share
    return max(shares)
