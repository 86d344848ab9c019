"""Glossaries: a term in bold, a dash or a colon, and what it means."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.passage_candidate import Candidate

__all__ = ["glossary"]

_ENTRY = re.compile(
    r"(?P<term>[^.:：–—]{2,40}?)\s*(?:[.:：–—]+|-\s)\s*(?P<meaning>[^\n]{20,400})", re.DOTALL
)
_TEMPLATES = {
    "en": "What is meant by “{term}”?",
    "de": "Was bedeutet „{term}“?",
    "ja": "{term}とは何ですか?",
    "zh": "{term}是什么意思？",
}
_WORDS_OF_GLOSSARY = re.compile(r"glossar|terms|definition|begriff|用語|术语", re.IGNORECASE)


def glossary(passage: Passage) -> Iterator[Candidate]:
    """Yield a question for each entry of a passage under a heading like "Glossary"."""
    place = " ".join((passage.document.doc_id, *passage.headings))
    template = _TEMPLATES.get(passage.language)
    if template is None or not _WORDS_OF_GLOSSARY.search(place):
        return
    for block in passage.blocks:
        start, end = passage.raw_span(block)
        match = _ENTRY.match(passage.block_text(block))
        if match is None or not passage.document.text[:start].endswith("**"):
            continue
        yield Candidate(
            template.format(term=match["term"].strip()),
            match["meaning"].strip(),
            start,
            end,
            "definition",
            "glossary",
            0.9,
        )
