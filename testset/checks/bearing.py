"""Bearing: what other passages tell that may qualify, repeat or deny an answer.

Half of the room is for passages that are shown whole: those of the section of the evidence, those
beside it, and the nearest by words or by vectors, also in other documents. The other half is for
the nearest sentences of passages that are further off: one exception may stand anywhere.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import numpy as np

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from testset.checks.cross_lingual import search_text
from testset.checks.draft import Draft
from testset.corpus.bm25 import Bm25, best
from testset.corpus.counts import counted_part, united
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import CJK
from testset.corpus.setting import below

SECTION = 4
"""Passages of the section that are looked at before and after the evidence."""
SEARCHED = 10
"""Passages of each search that are looked at, to be shown whole."""
FURTHER = 30
"""Passages of each search whose sentences are looked at."""
FLAT = 3
"""Makes the first ranks of a search count about alike (reciprocal rank fusion)."""
BESIDE = 1
"""The rank in a search that standing beside the evidence is worth."""
ROOM, MORE_ROOM = 3_500, 6_000
"""Characters of other passages that are shown; more of a question whose answer has several
statements, that no document answers, or that follows on another: it takes more searches."""


def bearing(draft: Draft, index: CorpusIndex) -> Mapping[int, str]:
    """Return what bears on a question: the number of a passage -> what is shown of it.

    Searched for are the question, the question with its answer, each fact, each quote, and the
    words that its writer expects elsewhere; these count twice for single sentences, as they are to
    find what is said in other words.
    """
    own = {*index.passages_at(*draft.spans), *draft.origin}
    question = search_text(draft, index)
    said = [fact.text for fact in draft.reference_facts] + [group[0].quote for group in draft.gold]
    expected = [draft.elsewhere] if draft.elsewhere else []
    answered = f"{question} {draft.reference}".strip()
    texts = [*dict.fromkeys([question, answered, *said, *expected])]
    simple = len(draft.reference_facts) < 2 and draft.gold and not draft.turns
    room = (ROOM if simple else MORE_ROOM) // 2
    whole: dict[int, str] = {}
    for number in _nearest(texts, own, draft.retrieved, index):
        text = index.passages[number].shown
        if not whole or _size(*whole.values(), text) <= room:
            whole[number] = text
    return {**whole, **_sentences([*texts, *expected], {*own, *whole}, index, room)}


def _nearest(
    texts: Sequence[str], own: set[int], retrieved: Iterable[int], index: CorpusIndex
) -> list[int]:
    """Return the passages near a question, the nearest first."""
    nearness = defaultdict[int, float](float)
    for text in texts:
        searched = index.search(text, k=SEARCHED + len(own))
        for rank, number in enumerate(number for number in searched if number not in own):
            nearness[number] += 1 / (FLAT + rank)
    for number in {*_around(own, index), *retrieved} - own:
        nearness[number] += 1 / (FLAT + BESIDE)
    return sorted(nearness, key=lambda number: (-nearness[number], number))


def _around(own: Iterable[int], index: CorpusIndex) -> set[int]:
    """Return the passages of the same sections, and those before and after these."""
    around: set[int] = set()
    for number, step in product(own, (-1, 1)):
        passage = index.passages[number]
        inside = index.by_document.get(passage.document.doc_id, ())
        for near in range(number + step, number + step * (1 + SECTION), step):
            if near not in inside:
                break
            around.add(near)
            if index.passages[near].headings != passage.headings:
                break
    return around


def _sentences(
    texts: Sequence[str], without: set[int], index: CorpusIndex, room: int
) -> Mapping[int, str]:
    """Return the sentences nearest to texts for which there is room, by their passages."""
    numbers = dict.fromkeys(number for text in texts for number in index.search(text, k=FURTHER))
    plain = {number: index.passages[number].text for number in numbers if number not in without}
    paths = {number: " / ".join(index.passages[number].path) for number in plain}
    sentences = [
        (n, text[slice(*span)]) for n, text in plain.items() for span in sentence_spans(text)
    ]
    bm25 = Bm25(united([counted_part([sentence for _, sentence in sentences])]))
    scores = np.sum([bm25.scores(text) for text in texts], axis=0)
    taken: dict[int, list[int]] = {}
    for turn in best(scores, len(sentences)) if sentences else ():
        number, sentence = sentences[turn]
        room -= _size(sentence, "" if number in taken else paths[number])
        if room < 0 or scores[turn] <= 0:
            break
        taken.setdefault(number, []).append(turn)
    lines = {number: [sentences[turn][1] for turn in sorted(taken[number])] for number in taken}
    return {number: below((paths[number],), "\n".join(lines[number])) for number in lines}


def _size(*texts: str) -> int:
    """Return how many characters texts count for."""
    return sum(len(text) * (CJK if is_cjk(text) else 1) for text in texts)
