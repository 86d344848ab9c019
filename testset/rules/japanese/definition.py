"""Japanese, what it is: "校正とは、...作業である" -> "校正とは何ですか?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.japanese.carried import carried
from testset.rules.japanese.clause import Clause, clauses_of, plain_text
from testset.rules.japanese.closed_classes import PERSON, POINTING, SORTS
from testset.rules.japanese.making import made
from testset.rules.japanese.standing import is_noun_phrase, is_vague
from testset.rules.passage_candidate import Candidate

__all__ = ["definitions", "meanings"]

_MEANING = re.compile(
    r"^(?P<term>[^、。はがをに]{2,22})とは、?(?!言|い[いうえわ]|思|限|異な|違|別|なら|なり|逆|"
    r"反対|無関係|関係)"
    r"(?P<said>[^。]{6,90})$"
)
_CLOSING = re.compile(
    r"(?:のこと)?(?:である|であり|です|を(?:指す|指します|さす|いう|言う|いいます|言います|"
    r"意味する|意味します|表す|表します))?$"
)
_VERBAL = re.compile(
    r"(?:[るたいうくすつぶむぐんれせけげめべ]|ます|ました|こと|もの|ところ|一つ|ひとつ|例|意味|"
    r"意|語|違い|関係)$"
)
_GENUS = re.compile(r"^(?P<said>[^。]{7,58}?)(?:のこと)?(?:である|です|であった|でした|)$")
_ABSTRACT = re.compile(r"呼称|総称|体制|状態|値|職$|政策|^[者人]$|単位|形式|現象|行為|作業")
_LOOSE = re.compile(r"(?:一つ|ひとつ|一種|代表|典型|例|最初|最後|唯一|(?:の|な)[^の]{1,2}種類の)")


def meanings(passage: Passage) -> Iterator[Candidate]:
    """Yield "Xとは何ですか?" where a sentence says what a term means."""
    for sentence in passage.sentences:
        match = _MEANING.match(plain_text(sentence))
        if match is None or not is_noun_phrase(match["term"]):
            continue
        answer = _CLOSING.sub("", match["said"], count=1)
        if (
            _VERBAL.search(answer)
            or re.search(r"[?？!！]", answer)
            or POINTING.search(match["term"])
            or is_vague(answer)
        ):
            continue
        clause = Clause(sentence, "", match["term"], "は", match["said"])
        if not _pointing(answer) and not re.search(r"[^、]は|。", answer):
            asked = f"{match['term']}とは何ですか?"
            yield from made(clause, asked, answer, "definition", "meaning", 0.95)


def definitions(passage: Passage) -> Iterator[Candidate]:
    """Yield "Xとは何ですか?" or "Xはどのような国ですか?" where a topic is told by its kind."""
    for clause in (*clauses_of(passage, terms=True), *carried(passage)):
        match = _GENUS.match(clause.rest)
        if (
            match is None
            or clause.case != "は"
            or clause.lead
            or not (clause.first or clause.rest in clause.sentence.text)
            or "の" in clause.topic
        ):
            continue
        said = match["said"]
        sort = SORTS.search(said)
        if (
            sort is None
            or _LOOSE.search(said)
            or re.search(r"[がは]、|[^で]は|\d{4}年|^(?:最|も)|も(?![のっ])", said)
        ):
            continue
        before = said[: sort.start()]
        if len(before) < 5 or not before.endswith(tuple("のるたないうくすむつぶぐ")):
            continue
        asked = f"{clause.topic}とは{'誰' if PERSON.search(clause.topic) else '何'}ですか?"
        yield from made(clause, asked, said, "definition", "definition", 0.9)
        if not _ABSTRACT.search(sort.group()):
            kind = f"{clause.topic}はどのような{sort.group()}ですか?"
            yield from made(clause, kind, said, "definition", "sort", 0.88)


def _pointing(text: str) -> bool:
    return POINTING.search(text) is not None
