"""Repeated questions: an engine is asked the same several times, to see how its answers vary.

Variants ask the same in other words; `testset` writes them, and metadata say what they are of.
"""

from collections.abc import Iterable

from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError

REPEAT_OF = "repeat_of"
"""Metadata with the id of the question that a repetition belongs to; the first has it, too."""

VARIANT_OF = "variant_of"
"""Metadata with the id of the question that a sample is another wording of; its own has it, too."""
VARIANT = "variant"
"""Metadata with the kind of the wording: `AS_WRITTEN`, or how it differs."""
AS_WRITTEN = "as_written"


def question_of(sample: Sample) -> str:
    """Return the id of the question that a sample answers, be it the first answer or another."""
    return str(sample.metadata.get(REPEAT_OF, sample.id))


def repeated(samples: Iterable[Sample], times: int) -> list[Sample]:
    """Return each sample so many times: the first with its id, the others with `#2`, `#3`, ….

    Raises:
        InputError: `times` is below 1.

    Example:
        >>> from llamaindex_rag_eval.data.sample import SingleTurnSample
        >>> [one.id for one in repeated([SingleTurnSample(id="a", query="?")], 3)]
        ['a', 'a#2', 'a#3']
    """
    if times < 1:
        raise InputError(f"repeats is {times}; expected 1 or more")
    if times == 1:
        return list(samples)
    return [
        sample.model_copy(
            update={
                "id": sample.id if number == 1 else f"{sample.id}#{number}",
                "metadata": {**sample.metadata, REPEAT_OF: sample.id},
            }
        )
        for sample in samples
        for number in range(1, times + 1)
    ]
