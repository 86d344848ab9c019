"""Spans: where in a document a quote stands, when it is written and after the document changed.

A quote is looked for as it is, then with case, marks, widths and white space normalised, then by
likeness. What is found is cut from the document, so that the gold is the document's own text,
whatever a model made of it.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from llamaindex_rag_eval.formulas.texts import common_start
from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from testset.corpus.documents import Corpus, SourceDocument
from testset.corpus.folding import SOFT_HYPHEN, folded, places_of
from testset.corpus.passages import Passage
from testset.corpus.setting import lead_in_of, setting_of, with_marks
from testset.golden.item import CONTEXT, GoldSpan

MIN_SIMILARITY = 0.9
"""Similarity, in [0, 1], from which a stretch of a document counts as the quote."""
MIN_FUZZY = 12
"""Characters of a quote that may be found by similarity; shorter ones resemble too much."""
PIECES = 20
"""Pieces of a quote that are looked for as they are, to learn where it may stand."""
MIN_PIECE = 4
"""Characters of a piece, at least."""
MOST_STARTS = 10
"""Places at which a quote may stand that are compared with it."""
DISTINCTIVE = 24
"""Characters from which a quote is hardly found by chance; shorter ones need their context."""
SAME_CONTEXT = 0.6
"""Similarity, in [0, 1], of the text before or after from which the context is the same."""
SAME_NEIGHBOURS = 10
"""Equal characters next to a quote, on both sides together, that make its context the same."""

LEADS = (":", "：")
"""Ends of a sentence that only leads to what follows it."""

_BLOCK_MARKS = re.compile(r"^[^\S\n]*(?:- |```.*$)", re.MULTILINE)
"""What a passage is shown with and its plain text has not: marks of items and of code."""
_IN_WORD = re.compile("[a-zA-Z0-9]{2}")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'"})
_DASHES = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), SOFT_HYPHEN: ""})


class QuoteMatch(NamedTuple):
    """Where a quote stands: the characters from `start` to `end`, and how they match it."""

    start: int
    end: int
    how: Literal["exact", "normalised", "fuzzy"]


def locate(
    quote: str, text: str, *, start: int = 0, end: int | None = None, fuzzy: bool = True
) -> QuoteMatch | None:
    """Return the place of a quote in `text[start:end]`, or `None` if it is not there.

    Args:
        quote: Words that should stand there; blank ones stand nowhere.
        text: The document.
        start: Where to begin looking.
        end: Where to stop; the end of the text if not given.
        fuzzy: Whether what is nearly the quote counts.

    Example:
        >>> locate("the  “red” pump", 'See the "red" pump.')
        QuoteMatch(start=4, end=18, how='normalised')
        >>> locate("a blue vent", "See the red pump.") is None
        True
    """
    stretch, wanted = text[start:end], quote.strip()
    if not wanted:
        return None
    at = stretch.find(wanted)
    if at >= 0:
        return QuoteMatch(start + at, start + at + len(wanted), "exact")
    plain, offsets = _normalised(stretch)
    wanted = _normalised(wanted)[0].strip()
    at = plain.find(wanted) if wanted else -1
    if at >= 0:
        low, high = offsets[at], offsets[at + len(wanted) - 1] + 1
        return QuoteMatch(start + low, start + high, "normalised")
    if not fuzzy or len(wanted) < MIN_FUZZY:
        return None
    near = _nearest(wanted, plain)
    if near is None:
        return None
    first, last = _whole_words(plain, *near)
    return QuoteMatch(start + offsets[first], start + offsets[last - 1] + 1, "fuzzy")


def similarity(first: str, second: str) -> float:
    """Return how alike two texts are, character by character, in [0, 1]."""
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def _nearest(wanted: str, text: str) -> tuple[int, int] | None:
    """Return the stretch of a text that is most like a quote, if it is nearly the quote."""
    size = max(MIN_PIECE, len(wanted) // PIECES)
    starts = Counter(
        max(0, match.start() - at)
        for at in range(0, len(wanted) - size + 1, size)
        for match in re.finditer(re.escape(wanted[at : at + size]), text)
    )
    matcher = SequenceMatcher(None, "", wanted, autojunk=False)
    best, nearest = MIN_SIMILARITY, None
    for start, _ in starts.most_common(MOST_STARTS):
        matcher.set_seq1(text[start : start + len(wanted)])
        if matcher.quick_ratio() < best:
            continue
        *blocks, _ = matcher.get_matching_blocks()
        share = sum(block.size for block in blocks) / len(wanted)
        if share >= best:
            best, end = share, blocks[-1].a + blocks[-1].size
            nearest = start + blocks[0].a, start + end
    return nearest


def _normalised(text: str) -> tuple[str, list[int]]:
    """Return a text without case, differences of marks, blanks and bars, and each one's place."""
    characters: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        plain = unicodedata.normalize("NFKC", character.translate(_QUOTES).translate(_DASHES))
        for part in plain.casefold():
            part = " " if part.isspace() or part == "|" else part
            if part == " " and characters and characters[-1] == " ":
                continue
            characters.append(part)
            offsets.append(offset)
    return "".join(characters), offsets


def _whole_words(text: str, low: int, high: int) -> tuple[int, int]:
    """Widen a stretch to the ends of its words, and leave out blanks around it."""
    while low and _IN_WORD.match(text, low - 1):
        low -= 1
    while _IN_WORD.match(text, high - 1):
        high += 1
    shown = text[low:high].strip(" ")
    low = text.index(shown, low)
    return low, low + len(shown)


def cut_span(document: SourceDocument, start: int, end: int) -> GoldSpan:
    """Return the span of a document from `start` to `end`, with its surroundings and setting."""
    span = GoldSpan.cut(document.doc_id, document.hash, document.text, start, end)
    return span.model_copy(update={"setting": setting_of(document, start, end)})


def spans_of(quote: str, passages: Sequence[Passage], *, about: str = "") -> tuple[GoldSpan, ...]:
    """Return where a quote stands in the first passage that has it; nothing if none does.

    What stands together nowhere is looked for in runs of lines that do, as a row and the header of
    its table; only then is what is nearly the quote. In one passage it is one span, with what is
    between the lines.

    Args:
        quote: The quote.
        passages: Where to look.
        about: What it is quoted for.
    """
    about = f"{about} {quote}"

    def candidates(wanted: str, *, fuzzy: bool) -> Sequence[GoldSpan]:
        spans = (spans_in_passage(wanted, passage, about, fuzzy=fuzzy) for passage in passages)
        return next(filter(None, spans), ())

    lines = [line for line in quote.splitlines() if re.search(r"\w", line)]
    pieces: list[Sequence[GoldSpan]] = []
    start = 0
    while start < len(lines):
        runs = ("\n".join(lines[start:end]) for end in range(len(lines), start, -1))
        tried = ((run, candidates(run, fuzzy=False)) for run in runs)
        run, spans = next((pair for pair in tried if pair[1]), (lines[start], ()))
        spans = spans or candidates(run, fuzzy=True)
        if not spans:
            return tuple(candidates(quote, fuzzy=True)[:1])
        pieces.append(spans)
        start += run.count("\n") + 1
    return _joined(_in_order(pieces), passages)


def _in_order(pieces: Sequence[Sequence[GoldSpan]]) -> list[GoldSpan]:
    """Return one span of each piece of a quote, of several the one that stands in its order.

    The others are nearest to the piece with the fewest, behind it or before it as they are quoted.
    """
    if not pieces:
        return []
    turn = min(range(len(pieces)), key=lambda n: len(pieces[n]))
    anchor = pieces[turn][0]

    def amiss(number: int, span: GoldSpan) -> tuple[bool, bool, int]:
        behind = span.start > anchor.start
        distance = abs(span.start - anchor.start)
        return span.doc_id != anchor.doc_id, behind != (number > turn), distance

    return [
        anchor if number == turn else min(spans, key=lambda span: amiss(number, span))
        for number, spans in enumerate(pieces)
    ]


def _joined(pieces: Sequence[GoldSpan], passages: Sequence[Passage]) -> tuple[GoldSpan, ...]:
    """Return the pieces of a quote, those in one passage as one, without what only leads in."""
    documents = {passage.document.doc_id: passage.document for passage in passages}
    settings = {" ".join(line.split()) for piece in pieces for line in piece.setting[1:]}

    def leads(piece: GoldSpan) -> bool:
        text = _plain(piece, documents[piece.doc_id])
        return len(sentence_spans(text)) == 1 and (text in settings or text.endswith(LEADS))

    joined: list[GoldSpan] = []
    proofs = [piece for piece in pieces if not leads(piece)] or pieces
    for piece in sorted(proofs, key=lambda piece: (piece.doc_id, piece.start)):
        last = joined[-1] if joined else None
        if last and any(_holds(passage, last) and _holds(passage, piece) for passage in passages):
            end = max(last.end, piece.end)
            joined[-1] = cut_span(documents[piece.doc_id], last.start, end)
        else:
            joined.append(piece)
    return tuple(joined)


def _plain(span: GoldSpan, document: SourceDocument) -> str:
    """Return a span as a reader sees it, in one line."""
    shown = document.view.plain_span(span.start, span.end)
    return " ".join((document.view.text[slice(*shown)] if shown else span.quote).split())


def _holds(passage: Passage, span: GoldSpan) -> bool:
    """Return whether a span stands in a passage."""
    inside = passage.start <= span.start and span.end <= passage.end
    return inside and passage.document.doc_id == span.doc_id


def spans_in_passage(
    quote: str, passage: Passage, about: str = "", *, fuzzy: bool = True
) -> Sequence[GoldSpan]:
    """Return the spans of a quote from a passage as a reader sees it; nothing if it is not there.

    Args:
        quote: The quote.
        passage: The passage.
        about: What it is quoted for: of several such places, that is first whose block, with its
            headings and lead-in, has most of these words.
        fuzzy: Whether what is nearly the quote counts.
    """
    document, view = passage.document, passage.document.view
    wanted = _BLOCK_MARKS.sub("", quote)
    low, high = passage.blocks[0].start, passage.blocks[-1].end
    words = set(about.casefold().split())

    def likeness(start: int) -> int:
        number = view.block_at(start) or 0
        around = (*view.headings[number], *lead_in_of(view, number))
        text = " ".join((*around, view.block_text(view.blocks[number])))
        return len(words & set(text.casefold().split()))

    starts = [low + match.start() for match in re.finditer(re.escape(wanted), view.text[low:high])]
    if len(starts) > 1:
        starts.sort(key=likeness, reverse=True)
    tried = (
        locate(wanted, view.text, start=start, end=high, fuzzy=fuzzy) for start in starts or [low]
    )
    if matches := [*filter(None, tried)]:
        spans = (with_marks(document.text, *view.raw_span(*match[:2])) for match in matches)
        return [cut_span(document, *span) for span in spans]
    match = locate(quote, document.text, start=passage.start, end=passage.end, fuzzy=fuzzy)
    return [] if match is None else [cut_span(document, match.start, match.end)]


@dataclass(frozen=True, slots=True)
class RelocatedSpan:
    """Where a span stands after its document was edited, moved or renamed.

    Attributes:
        span: The span, cut from the document as it is.
        how: "same" if neither its place nor its quote changed; else how it was found.
        unchanged: Whether the same words stand in the same sentence and context, however their
            lines are wrapped, so that the item need not be checked again.
    """

    span: GoldSpan
    how: Literal["same", "exact", "normalised", "fuzzy"]
    unchanged: bool


def relocate(span: GoldSpan, corpus: Corpus) -> RelocatedSpan | None:
    """Return where a span stands now; `None` if it stands nowhere.

    Its own document is searched first: for the words of the quote, then with its context, then for
    what is nearly the quote. Other documents are searched for its words; for what is nearly it only
    where its own document is gone, as a renamed one is. Of several places, the one whose
    context is most like the one that was kept counts; of equal ones, the one nearest to the old.
    """
    own = next((entry for entry in corpus.documents if entry.doc_id == span.doc_id), None)
    if own is not None:
        if own.text[span.start : span.end] == span.quote:
            fresh = cut_span(own, span.start, span.end)
            if own.hash == span.doc_hash or _same_context(span, fresh):
                same = own.hash == span.doc_hash or same_sentences(span, fresh)
                return RelocatedSpan(fresh, "same", unchanged=same)
        moved = _exact(span, own) or _near(span, own)
        if moved is not None:
            return moved
    others = [entry for entry in corpus.documents if entry.doc_id != span.doc_id]
    elsewhere = list(filter(None, (_exact(span, entry) for entry in others)))
    if not elsewhere and own is None:
        elsewhere = list(filter(None, (_near(span, entry) for entry in others)))
    return max(elsewhere, key=lambda moved: _likeness(span, moved.span), default=None)


def _exact(span: GoldSpan, document: SourceDocument) -> RelocatedSpan | None:
    """Return the place of the quote's words in the most similar context."""
    fresh = [cut_span(document, *span_at) for span_at in places_of(span.quote, document.text)]
    if not fresh:
        return None
    best = max(fresh, key=lambda entry: _likeness(span, entry))
    same = _same_context(span, best)
    if not same and len(span.quote) < DISTINCTIVE:
        return None
    how: Literal["exact", "normalised"] = "exact" if best.quote == span.quote else "normalised"
    return RelocatedSpan(best, how, unchanged=same and same_sentences(span, best))


def _near(span: GoldSpan, document: SourceDocument) -> RelocatedSpan | None:
    """Return what is nearly the quote: inside what is nearly its context, if there is any."""
    whole = span.prefix + span.quote + span.suffix
    around = locate(whole, document.text)
    low, high = (around.start, around.end) if around is not None else (0, len(document.text))
    match = locate(span.quote, document.text, start=low, end=high)
    if match is None and around is not None:
        match = locate(span.quote, document.text)
    if match is None:
        return None
    fresh = cut_span(document, match.start, match.end)
    if len(span.quote) < DISTINCTIVE and not _same_context(span, fresh):
        return None
    return RelocatedSpan(fresh, match.how, unchanged=False)


def _same_context(old: GoldSpan, new: GoldSpan) -> bool:
    alike = max(_context_ratios(old, new)) >= SAME_CONTEXT
    return alike or _equal_neighbours(old, new) >= SAME_NEIGHBOURS


def sentences_around(span: GoldSpan) -> tuple[str, ...]:
    """Return the sentences that a quote is part of, as far as its surroundings were kept.

    Example:
        >>> text = "A pump is here. It is not red. It weighs 40 kg."
        >>> sentences_around(GoldSpan.cut("d", "", text, 26, 29))
        ('It is not red.',)
    """
    text = span.prefix + span.quote + span.suffix
    start, end = len(span.prefix), len(span.prefix) + len(span.quote)
    return tuple(
        " ".join(text[low:high].split())
        for low, high in sentence_spans(text)
        if low < end and start < high
    )


def same_sentences(old: GoldSpan, new: GoldSpan) -> bool:
    """Return whether two quotes stand in the same sentences, however their lines are wrapped."""
    if sentences_around(old) == sentences_around(new):
        return True
    before = _as_much(old.prefix, new.prefix, step=-1)
    after = _as_much(old.suffix, new.suffix)
    plain = [
        span.model_copy(
            update={"quote": folded(span.quote), "prefix": prefix[::-1], "suffix": suffix}
        )
        for span, prefix, suffix in zip((old, new), before, after, strict=True)
    ]
    return sentences_around(plain[0]) == sentences_around(plain[1])


def _as_much(old: str, new: str, step: int = 1) -> tuple[str, str]:
    """Return what follows two quotes, folded, and as much of both where both go on behind it.

    What precedes them is read backwards, with -1 as the step.
    """
    plain = folded(old)[::step], folded(new)[::step]
    whole = min(len(old), len(new)) < CONTEXT
    end = None if whole else min(map(len, plain))
    return plain[0][:end], plain[1][:end]


def _likeness(old: GoldSpan, new: GoldSpan) -> tuple[int, float, int]:
    """Return what orders places of a quote: what touches it, then its context, then distance."""
    distance = abs(new.start - old.start)
    return _equal_neighbours(old, new), sum(_context_ratios(old, new)), -distance


def _context_ratios(old: GoldSpan, new: GoldSpan) -> tuple[float, float]:
    """Return how similar the texts before and after are, each in [0, 1]."""
    before = similarity(folded(old.prefix), folded(new.prefix))
    return before, similarity(folded(old.suffix), folded(new.suffix))


def _equal_neighbours(old: GoldSpan, new: GoldSpan) -> int:
    """Return how many characters next to the quote are the same, on both sides together."""
    before = common_start(folded(old.prefix)[::-1], folded(new.prefix)[::-1])
    return before + common_start(folded(old.suffix), folded(new.suffix))
