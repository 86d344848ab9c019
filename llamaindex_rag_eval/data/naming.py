"""Ids for samples: the given ones checked, missing ones made from the question."""

from hashlib import sha256

from llamaindex_rag_eval.data.sample import MultiTurnSample, Sample
from llamaindex_rag_eval.errors import DatasetError

__all__ = ["Naming", "content_id"]

DIGITS = 12
"""Hexadecimal digits of a made id: 48 bits, so that a million questions hardly ever collide."""


def content_id(sample: Sample) -> str:
    """Return an id made from the question alone, so that answers of all pipelines share it.

    Of a follow-up the conversation before it counts, too; of a conversation the user's messages;
    of a sample without a question its whole content. Texts that differ only in their Unicode
    normalisation form are different questions.
    """
    if isinstance(sample, MultiTurnSample):
        asked = "\n".join(m.content for m in sample.messages if m.role == "user")
    else:
        asked = sample.asked
    return _digest(asked or sample.fingerprint_text())[:DIGITS]


class Naming:
    """Gives every sample an id that no earlier sample has.

    - No id: `content_id`, with `~2`, `~3`, … where the same question comes again.
    - An id that an equal sample had: the same suffix; both rows are kept.
    - An id that a different sample had: `DatasetError`, since answers and scores are found by id.
    """

    def __init__(self, *, file: str = "") -> None:
        self._file = file
        self._seen: dict[str, tuple[int, str]] = {}

    def named(self, sample: Sample, place: int) -> Sample:
        """Return the sample with its id.

        Args:
            sample: The next sample.
            place: Its line, or its number where there is no file.

        Raises:
            DatasetError: A different sample has the id already; both places are named.
        """
        content = _digest(sample.fingerprint_text())
        wanted = sample.id or content_id(sample)
        first = self._seen.get(wanted)
        if first is not None and sample.id and first[1] != content:
            raise DatasetError(
                f"expected ids to differ: {wanted!r} is also the id of another sample in "
                f"{'line' if self._file else 'place'} {first[0]}",
                file=self._file,
                line=place,
                field="id",
            )
        name = wanted if first is None else self._numbered(wanted)
        self._seen[name] = (place, content)
        return sample if name == sample.id else sample.model_copy(update={"id": name})

    def _numbered(self, name: str) -> str:
        number = 2
        while f"{name}~{number}" in self._seen:
            number += 1
        return f"{name}~{number}"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
