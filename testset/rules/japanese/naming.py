"""Japanese, what it is called: short names, readings, other languages, names given."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.japanese.clause import Clause, plain_text
from testset.rules.japanese.closed_classes import POINTING, WORD
from testset.rules.japanese.conjugation import as_question
from testset.rules.japanese.making import made
from testset.rules.japanese.standing import is_noun_phrase, is_vague, named
from testset.rules.passage_candidate import Candidate

__all__ = ["called", "called_so", "in_brackets"]

_BRACKET = re.compile(
    rf"(?<!{WORD})"
    rf"(?P<name>[一-龯々ァ-ヺーA-Za-z0-9・]{{2,22}})[（(](?P<inner>[^（）()]{{2,80}})[）)](?=とは|は|が|を|の|に|と|、|で)"
)
_LANGUAGES = (
    "英語|ドイツ語|フランス語|オランダ語|イタリア語|スペイン語|ロシア語|ラテン語|"
    "ポルトガル語|ギリシャ語"
)
_SHORT = re.compile(
    r"(?P<sort>略称|略して|通称|別名|旧称|愛称|"
    r"正式名称)[は:： 、]*「?(?P<answer>[^、,;；「」）)]{2,24})」?$"
)
_FOREIGN = re.compile(
    rf"(?P<language>{_LANGUAGES}|英)[:： ]+(?P<answer>[^\W\d_ぁ-ん一-龯][\w .'’-]{{2,50}})"
)
_INITIALS = re.compile(r"^(?P<answer>[A-Z][A-Za-z]{0,2}[A-Z]{1,6})$")
_READING = re.compile(r"^(?P<answer>[ぁ-ゖー・ ]{3,20})$")
_CALLED = re.compile(
    r"^(?P<before>(?:[^、をが]{2,24}(?:では|には|から|により|によって|で|"
    r"に)、?)?)(?P<answer>「[^」]{2,24}」|『[^』]{2,24}』|[一-龯ァ-ヺーA-Za-z]{2,20})"
    r"(?P<verb>(?:と|とも)(?:呼ばれる|呼ばれている|呼ばれた|呼ばれていた|称される|称された|"
    r"呼ばれます|呼ばれています|いう|いいます)|に(?:改称|改名)(?:した|された))$"
)
_SO = re.compile(
    r"^(?P<thing>[^。はが]{8,42})(?:のことを|"
    r"を)(?P<before>(?:[^、。を]{2,16}では)?)、?(?P<answer>「[^」]{2,24}」|"
    r"[一-龯ァ-ヺーA-Za-z]{2,20})"
    r"(?:と(?P<verb>いう|言う|呼ぶ|称する|呼んでいる|いいます|呼びます|呼んでいます))$"
)

_LONG = 4
"""Characters above which initials are short for a name."""


def in_brackets(passage: Passage) -> Iterator[Candidate]:
    """Yield the short name, the foreign name or the reading that stands in brackets."""
    for sentence in passage.sentences:
        whole = re.sub(r"\s*\n\s*", "", sentence.text)
        for match in _BRACKET.finditer(whole):
            clause = Clause(sentence, "", match["name"], "は", whole)
            if POINTING.search(match["name"]) or match["name"].isdigit():
                continue
            for inner in re.split(r"[、,;；]", match["inner"]):
                yield from _inner(clause, inner.strip())


def _inner(clause: Clause, inner: str) -> Iterator[Candidate]:
    name = clause.topic
    if short := _SHORT.match(inner):
        sort = short["sort"].replace("略して", "略称")
        asked = f"{name}の{sort}は何ですか?"
        yield from made(clause, asked, short["answer"], "naming", "short", 0.85)
    elif foreign := _FOREIGN.match(inner):
        language = foreign["language"].replace("英語", "英").replace("英", "英語")
        asked = f"{name}は{language}で何といいますか?"
        yield from made(clause, asked, foreign["answer"], "naming", "foreign", 0.8)
    elif (initials := _INITIALS.match(inner)) and len(name) > _LONG:
        asked = f"{name}の略称は何ですか?"
        yield from made(clause, asked, initials["answer"], "naming", "short", 0.82)
    elif (reading := _READING.match(inner)) and re.search(r"[一-龯]{2}", name):
        asked = f"{name}の読み方は何ですか?"
        yield from made(clause, asked, reading["answer"], "naming", "reading", 0.55)


def called(clause: Clause) -> Iterator[Candidate]:
    """Yield what something is called by someone, or what it was renamed."""
    match = _CALLED.match(clause.rest)
    if (
        match is None
        or clause.case not in {"は", "が"}
        or is_vague(match["answer"].strip("「」『』"))
    ):
        return
    verb = re.sub(r"^とも", "と", match["verb"])
    if verb in {"という", "といいます"}:
        asked = f"{match['before']}何といいますか?"
    else:
        asked = as_question(f"{match['before']}何{verb}")
    yield from made(clause, clause.asked(asked), match["answer"], "naming", "called", 0.93)


def called_so(passage: Passage) -> Iterator[Candidate]:
    """Yield "...することを何といいますか?" where a description is given its name."""
    for sentence in passage.sentences:
        match = _SO.match(plain_text(sentence))
        if match is None or POINTING.search(match["thing"]) or not _described(match["thing"]):
            continue
        asked = as_question(f"{match['thing']}を{match['before']}何と{match['verb']}")
        clause = Clause(sentence, "", match["thing"], "は", "")
        yield from made(clause, asked, match["answer"], "naming", "called_so", 0.94)


def _described(thing: str) -> bool:
    """Return whether a description tells enough to find its name."""
    return named(thing) or (not is_noun_phrase(thing) and len(thing) > 12)
