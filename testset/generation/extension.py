"""Extension: a golden set grows, and the items that it has stay as they are.

What is added asks first about documents that nobody asks about, is of the types that the whole
set lacks, and repeats no question of the set, in no language.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.errors import DatasetError
from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.corpus.prepared import PreparedCorpus
from testset.generation.quotas import largest_remainder
from testset.golden.golden_set import GoldenSet, json_line
from testset.version import VERSION

NEAR = 5
"""Passages that are looked for with each question that others are to be near to."""


def accepted_in(golden: GoldenSet | None, prepared: PreparedCorpus) -> AskedQuestions:
    """Return the questions of a set, rejected and stale ones too: none is to be asked again."""
    accepted = AskedQuestions()
    for item in golden or ():
        topics = (prepared.topics[name] for name in item.doc_ids if name in prepared.topics)
        accepted.add(Draft.of(item), topic=next(topics, ""))
    return accepted


def questions_about(golden: GoldenSet | None) -> Mapping[str, int]:
    """Return how many questions of a set there are about each document that it asks about."""
    return Counter(doc_id for item in golden or () for doc_id in item.doc_ids)


def unasked_passages(golden: GoldenSet | None, prepared: PreparedCorpus) -> dict[str, int]:
    """Return how many passages each topic has in documents that nobody asks about.

    Of topics all of whose documents are asked about it is 0; if all topics are, all count.
    """
    counts = prepared.passages_per_topic(questions_about(golden))
    return counts if any(counts.values()) else prepared.passages_per_topic()


def topics_near(questions: Sequence[str], prepared: PreparedCorpus) -> dict[str, int]:
    """Return how many of the passages found for these questions each topic has."""
    index = prepared.index
    numbers = (number for question in questions for number in index.search(question, k=NEAR))
    return dict(Counter(prepared.topics[index.passages[n].document.doc_id] for n in numbers))


def missing_types(
    golden: GoldenSet | None, shares: Mapping[str, float], size: int
) -> Mapping[str, float]:
    """Return of which types a set lacks questions, as shares of what is added.

    Args:
        golden: The set; `None` lacks all.
        shares: Question type -> its share of the whole.
        size: How many items the whole is to have.

    Example:
        >>> missing_types(None, {"table": 1.0}, 4)
        {'table': 1.0}
    """
    if golden is None:
        return shares
    have = Counter(str(item.type) for item in golden.in_use)
    wanted = largest_remainder(shares, size)
    lacking = {name: float(max(0, count - have[name])) for name, count in wanted.items()}
    return lacking if any(lacking.values()) else shares


def extension_summary(golden: GoldenSet, added: int, texts: Mapping[str, str]) -> dict[str, str]:
    """Return what the data card says of the items that were there, and of those that are new."""
    others = sorted({item.created.version for item in golden} - {VERSION, ""})
    kept = f"{len(golden)}, as they were"
    if others:
        kept += f"; some written by version {', '.join(others)}"
    if moved := len({entry.item_id for entry in golden.verify(texts)}):
        kept += f"; {moved} do not fit these documents: `rag-eval golden refresh` fits them"
    return {"new items": str(added), "kept items": kept}


def write_extended(golden: GoldenSet, extended: Path, out: Path) -> Path:
    """Write a set that has grown: the lines of the file it grew from, byte for byte, then the new.

    Args:
        golden: The whole set.
        extended: The file it grew from, as it is now: a review may have gone on meanwhile.
        out: Where to write; may be the same file.

    Raises:
        DatasetError: The file is no golden set any more.
        OutputError: The file cannot be written.
    """
    known = {item.id for item in GoldenSet.read(extended)}
    try:
        text = extended.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot be read: {error}", file=str(extended)) from error
    end = "" if not text or text.endswith("\n") else "\n"
    new = [json_line(item) for item in golden if item.id not in known]
    return write_whole(out, [text, end, *new])
