"""Entities: the names, places, dates, numbers with units and terms of a text."""

import re
import unicodedata
from itertools import chain

from llamaindex_rag_eval.judge.rules.profile import is_common
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, stem
from llamaindex_rag_eval.judge.rules.vocabulary import (
    cjk_function_characters,
    function_words,
)

_MONTH = (
    r"(?:Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|Mar(?:ch)?|März|Apr(?:il)?|May|Mai|June?|Juni|July?|"
    r"Juli|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Okt(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|"
    r"Dez(?:ember)?)"
)
_DATE = (
    rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s+{_MONTH}\.?(?:,?\s+\d{{4}})?\b"
    rf"|\b{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,\s*\d{{4}})?\b|\b{_MONTH}\s+\d{{4}}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"
    r"|\d{1,4}年(?:\d{1,2}月)?(?:\d{1,2}日)?|\d{1,2}月\d{1,2}日"
)
_QUANTITY = (
    r"[$€£¥]\s?\d[\d.,]*\d?(?:\s?(?:million|billion|trillion|Millionen|Milliarden))?"
    r"|(?<![\d.,A-Za-z])\d+(?:[.,]\d+)*\s?(?:%|‰|°C|°F|°|(?:km|cm|mm|m|kg|g|mg|t|l|ml|h|min|s|ms|GB|MB|TB|"
    r"kB|Hz|kHz|MHz|GHz|W|kW|MW|V|A|mAh|bar|psi|mph|ft|lb|ha)²?\b|percent|Prozent|million|billion|"
    r"meters?|metres?|kilometers?|hours?|minutes?|seconds?|days?|weeks?|months?|years?|euros?|"
    r"dollars?|Meter|Stunden|Minuten|Tage|Wochen|Monate|Jahre|Euro|メートル|キロ"
    r"|センチ|トン|ドル|パーセント|時間|分|秒|米|公里|万|亿|億|[人個名匹頭台羽本枚歳円元米个])"
    r"|(?<![\d.,A-Za-z])\d+(?:[.,]\d+)*"
)
_QUOTED = r"[\"“„«「『《]([^\"“”„«»「」『』《》]{2,60})[\"”“»」』》]"
_NAME_WORD = r"(?:[A-ZÄÖÜÀ-Þ][\w'’.&-]*[\w]|[A-ZÄÖÜ])"
_NAME_LINK = r"(?:(?:of|the|de|van|von|der|la|für|del|di)\s+){0,2}"
_NAME = rf"{_NAME_WORD}(?:\s+{_NAME_LINK}{_NAME_WORD})*"
_CJK_TERM = r"[\u30a1-\u30fa\u30fc・\u3400-\u4dbf\u4e00-\u9fff\u3005]{2,16}"
_ENTITY = re.compile(
    rf"(?P<date>{_DATE})|{_QUOTED}|(?P<quantity>{_QUANTITY})|(?P<name>{_NAME})|(?P<cjk>{_CJK_TERM})"
)
_ARTICLE = re.compile(
    r"^(?:the|an?|der|die|das|den|dem|des|eine?[rmns]?|le|la|les|el|los)\s+", re.IGNORECASE
)
_EDGE = " \t\n.,;:!?\"'“”„«»「」『』《》()[]（）。、，"


def entities_of(text: str) -> tuple[str, ...]:
    """Return the entities of a text, as they stand, in order, each once.

    Dates, quoted titles, numbers with their units, runs of capitalised words, and in Chinese and
    Japanese runs of katakana and of characters. Two spellings that `normal_entity` makes equal
    are one. Empty for a text without any.

    Example:
        >>> entities_of("The Taj Mahal in Agra was begun in 1631 and cost 32 million rupees.")
        ('Taj Mahal', 'Agra', '1631', '32 million')
    """
    spelling: dict[str, str] = {}
    for sentence in sentences(text):
        for entity in chain.from_iterable(map(_entities_in, _ENTITY.finditer(sentence))):
            spelling.setdefault(normal_entity(entity), entity)
    return tuple(entity for key, entity in spelling.items() if key)


def normal_entity(entity: str) -> str:
    """Return an entity in the form that is compared: NFKC, casefolded, no article, no edges.

    Example:
        >>> normal_entity("The  Taj Mahal,"), normal_entity("ＰＡＲＩＳ")
        ('taj mahal', 'paris')
    """
    plain = " ".join(unicodedata.normalize("NFKC", entity).casefold().split()).strip(_EDGE)
    return _ARTICLE.sub("", plain).removesuffix("'s").strip(_EDGE)


def _entities_in(match: re.Match[str]) -> list[str]:
    """Return what a match names; nothing if it is a common word that only opens a sentence."""
    entity = next((group for group in match.groups() if group), match.group()).strip(_EDGE)
    if match.lastgroup == "cjk":
        return _cjk_terms(entity)
    if match.lastgroup == "name":
        return [entity] if (entity := _name(entity, opens=match.start() == 0)) else []
    return [entity]


def _name(run: str, *, opens: bool) -> str:
    """Return a run of capitalised words without the function words at its edges."""
    parts = run.split()
    while parts and _is_plain(parts[0]):
        parts = parts[1:]
        opens = False
    while parts and _is_plain(parts[-1]):
        parts = parts[:-1]
    single = len(parts) == 1 and opens
    if not parts or (single and is_common(stem(parts[0]))):
        return ""
    return " ".join(parts)


def _is_plain(word: str) -> bool:
    return word.casefold().removesuffix("'s") in function_words()


def _cjk_terms(run: str) -> list[str]:
    """Cut a run of characters at those that carry grammar."""
    pieces, piece = [], ""
    for character in run:
        if is_cjk(character) and character in cjk_function_characters():
            pieces.append(piece)
            piece = ""
        else:
            piece += character
    return [each for each in (*pieces, piece) if len(each) >= 2]
