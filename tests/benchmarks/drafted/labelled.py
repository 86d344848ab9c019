"""A labelled draft, and those that a reader has labelled: `drafts.jsonl` and `verdicts.jsonl`."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.corpora import Row, rows
from testset import Corpus, GoldSpan, SourceDocument
from testset.checks.draft import Draft
from testset.corpus.index import CorpusIndex
from testset.golden.item import BEHAVIOUR, Axes
from testset.golden.spans import locate
from testset.requests.parts import Turn


@dataclass(frozen=True)
class LabelledDraft:
    """A draft, and what is known of it.

    Attributes:
        set: Where it is from.
        corpus: The documents that it is about.
        draft: The draft.
        fault: What is wrong with it; empty for a good one.
        half: "building" for what checks may be tuned on, "other" for what they may not.
    """

    set: str
    corpus: str
    draft: Draft
    fault: str = ""
    half: str = "building"


def read_drafts(folder: Path) -> tuple[list[LabelledDraft], Mapping[str, CorpusIndex]]:
    """Return what a model wrote. Its documents are not there: the quotes stand in for them.

    The draft that repeats another one is left out.
    """
    found = rows(folder / "drafts.jsonl")
    quotes: dict[str, dict[str, None]] = defaultdict(dict)
    for row in found:
        for entry in row["evidence"]:
            quotes[entry["doc_id"]][entry["quote"]] = None
    documents = {name: SourceDocument(name, "\n\n".join(texts)) for name, texts in quotes.items()}
    labelled = [
        LabelledDraft("drafts", "drafts", _draft(row, documents), _fault(row))
        for row in found
        if row["rejected_by"] != "duplicate"
    ]
    return labelled, {"drafts": CorpusIndex.of(list(documents.values()))}


def _fault(row: Row) -> str:
    return "" if row["label"] == "good" else str(row["why"])


def _draft(row: Row, documents: Mapping[str, SourceDocument]) -> Draft:
    groups: list[tuple[GoldSpan, ...]] = []
    for entry in row["evidence"]:
        document = documents[entry["doc_id"]]
        start = document.text.index(entry["quote"])
        span = _cut(document, start, start + len(entry["quote"]))
        if groups and (entry["alternative"] or row["type"] == "underspecified"):
            groups[-1] = (*groups[-1], span)
        else:
            groups.append((span,))
    return Draft(
        question=row["question"],
        reference=row["reference"],
        kind="",
        type=row["type"],
        axes=Axes(language=row["language"], style="chat"),
        gold=tuple(groups),
        turns=tuple(Turn(**turn) for turn in row.get("history", ())),
        expected_behaviour=BEHAVIOUR.get(row["type"], "answer"),
        verbatim=False,
    )


def read_verdicts(folder: Path) -> tuple[list[LabelledDraft], Mapping[str, CorpusIndex]]:
    """Return what rules wrote about the documents that are there, but what is to be mended."""
    by_folder: dict[str, list[Row]] = defaultdict(list)
    for row in rows(folder / "verdicts.jsonl"):
        if row["document_included"] and row["verdict"] != "mend":
            by_folder[row["folder"]].append(row)
    labelled: list[LabelledDraft] = []
    indexes: dict[str, CorpusIndex] = {}
    for name, found in sorted(by_folder.items()):
        documents = Corpus.read(folder / "documents" / name).documents
        indexes[name] = CorpusIndex.of(documents)
        for row in found:
            gold = _located(row["quote"], indexes[name].documents[row["doc_id"]])
            if gold:
                draft = Draft(
                    row["question"],
                    row["reference"],
                    row["kind"],
                    row["type"],
                    Axes(language=row["language"]),
                    gold,
                )
                fault = row["why"] if row["verdict"] == "drop" else ""
                labelled.append(LabelledDraft("verdicts", name, draft, fault))
    return labelled, indexes


def _located(quotes: Sequence[str], document: SourceDocument) -> tuple[tuple[GoldSpan, ...], ...]:
    places = [locate(quote, document.text) for quote in quotes]
    return tuple((_cut(document, place.start, place.end),) for place in places if place)


def _cut(document: SourceDocument, start: int, end: int) -> GoldSpan:
    return GoldSpan.cut(document.doc_id, document.hash, document.text, start, end)
