"""Documents that rules asked nothing about, and why: the account of a set that is too short."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from testset.corpus.documents import Corpus
from testset.generation.candidates import PassageCandidate
from testset.generation.quotas import Stratum
from testset.rules.registry import document_language

NOTHING = "no table, label, list, FAQ or sentence to ask about"
UNKNOWN = "no table of its language, so that only what stands there can be asked"


def unasked(
    corpus: Corpus, candidates: Mapping[Stratum, Sequence[PassageCandidate]], about: Iterable[str]
) -> dict[str, str]:
    """Return why there is no question about each document that has none, by its id.

    Args:
        corpus: The documents.
        candidates: What could be asked.
        about: The documents that there are questions about.
    """
    done = set(about)
    offered = Counter(row.candidate.first.doc_id for rows in candidates.values() for row in rows)
    reasons: dict[str, str] = {}
    for document in corpus.documents:
        count = offered[document.doc_id]
        if document.doc_id in done:
            continue
        if count:
            reasons[document.doc_id] = f"none of {count} candidates passed the checks"
        else:
            reasons[document.doc_id] = UNKNOWN if document_language(document) is None else NOTHING
    return reasons
