"""Refusals: answers that say that there is no answer."""

import re
from functools import cache, lru_cache

from llamaindex_rag_eval.judge.rules.sentences import sentences

_PATTERNS = (
    # English
    r"\bi (?:really |honestly |just )?(?:do not|don't|don t|dont|did not|didn't) "
    r"(?:know|have (?:any |enough |specific |sufficient |access |the )*"
    r"(?:information|info|answer|data|details|knowledge|idea))",
    r"\bi(?:'m| am) (?:not sure|unsure|unable|not able|not aware|not certain|afraid i (?:can|do))",
    r"\bi (?:cannot|can't|can not|could not|couldn't|won't) (?:\w+ )?(?:answer|find|provide|help|"
    r"assist|determine|tell|say|confirm|locate|comply|give|offer|verify)",
    r"\b(?:unable|not able|impossible) to (?:answer|determine|find|provide|tell|say)\b",
    r"\b(?:there is|there's|there are|contains?|provides?|includes?|has|have) (?:no|not any|not "
    r"enough|insufficient) (?:\w+ ){0,2}(?:information|mention|details?|answer|data|indication)\b",
    r"\b(?:contexts?|documents?|passages?|texts?|sources?|information|sections?)(?: \w+){0,3} "
    r"(?:do|does|did|is|are|was)(?: not|n't) (?:\w+ )?(?:contain|mention|provide|include|specify|"
    r"state|say|answer|discuss|sufficient|enough|address|give|available|provided|given)",
    r"\b(?:is|are|was) not (?:\w+ )?(?:mentioned|specified|stated|provided|given|available|"
    r"covered|disclosed|described) (?:in|by|within|from) (?:the|this|any|these|your|my)\b",
    r"\b(?:insufficient|not enough|no relevant|no sufficient) (?:information|context|data|details)",
    r"\bas an ai\b.*\b(?:cannot|can't|don't|do not|unable)\b",
    r"^(?:unknown|unanswerable|no answer|n/?a|none found|no idea|idk|not specified|not mentioned)"
    r"[\s.!]*$",
    r"\bno idea\b",
    # German
    r"\b(?:ich )?weiß (?:ich |es )*(?:leider )*(?:nicht|keine)\b|\bkeine ahnung\b",
    r"\bich (?:kann|konnte)\b.*\b(?:nicht|keine)\b.*\b(?:beantworten|finden|sagen|geben|helfen)\b",
    r"\b(?:enthäl?t|enthalten|nennen|nennt|liefern|liefert|bieten|bietet|gibt es|liegen|habe ich)\b"
    r".{0,60}\bkeine(?:rlei|n)? (?:\w+ )?(?:information|angabe|hinweis|antwort|daten|auskunft)",
    r"\bkeine (?:\w+ )?(?:informationen?|angaben?|antwort)\b.{0,60}\b(?:gefunden|enthalten|"
    r"verfügbar|vorhanden|zu finden|vor)\b",
    r"\b(?:wird|werden|ist|sind)\b.{0,60}\bnicht (?:erwähnt|genannt|angegeben|beantwortet|"
    r"beschrieben|bekannt)\b",
    r"\bbeantwort\w+ (?:diese |die )?frage nicht\b|\bnicht beantwort",
    # Japanese
    r"(?:分|わ)かり(?:ません|かね)|(?:分|わ)からない|存じ(?:ません|上げません)|知りません",
    r"(?:情報|記載|記述|回答|言及|答え|データ)(?:が|は|も)?(?:\S{0,12}?)"
    r"(?:ありません|ございません|含まれていません|見つかりません|見当たりません|なし$|ない$)",
    r"(?:答え|回答|お答え|特定|判断)(?:することが|することは|が|は)?(?:でき|出来)(?:ません|ない|かね)",
    r"(?:記載|記述|言及|説明)(?:は|が)?(?:され)?て?い?(?:ません|ない)",
    # Chinese
    r"(?:无法|不能|没法|難以|难以)(?:\S{0,8}?)(?:回答|确定|确认|得知|提供|判断|找到|告诉)",
    r"我?不(?:知道|清楚|太清楚|了解|确定)(?:[。！，.!]|$)",
    r"(?:没有|未|并未|不)(?:\S{0,6}?)(?:提及|提到|提供|包含|找到|说明|给出)(?:\S{0,10}?)"
    r"(?:信息|资料|内容|答案|$|[。，])",
    r"没有(?:\S{0,6})(?:相关|足够|任何)(?:\S{0,4})(?:信息|资料|答案|内容)",
)
_TURN = re.compile(
    r"[,;.] (?:but|however|though|although|nevertheless|yet)\b|[,;] (?:aber|jedoch|allerdings)\b"
    r"|(?:但是|但|不过|然而|しかし|ただし)",
    re.IGNORECASE,
)
_CONTENT_AFTER_TURN = 25
"""Characters after a "but" from which a sentence says something beyond its refusal."""
_OFFER = re.compile(
    r"^(?:please|sorry|i(?:'m| am) sorry|i apologi[sz]e|unfortunately|if you|let me know|could you|"
    r"can you|would you|feel free|i(?:'d| would) be happy|i recommend|you (?:may|can|could|might)|"
    r"is there anything|however, if you|bitte|leider|entschuldigung|falls (?:du|sie)|"
    r"wenn (?:du|sie)|"
    r"申し訳|すみません|ご了承|もし|恐れ入り|抱歉|对不起|很抱歉|请|如果(?:您|你))",
    re.IGNORECASE,
)
_LONGEST_SENTENCE = 600
"""Characters of a sentence that are searched; a refusal comes early in it."""


@cache
def _refusal() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS), re.IGNORECASE)


def evades(sentence: str) -> bool:
    """Return whether a sentence refuses or evades and says nothing else.

    Example:
        >>> evades("I don't know."), evades("I am not sure, but Ito built the lock in 1934.")
        (True, False)
    """
    return _evades(sentence[:_LONGEST_SENTENCE])


@lru_cache(maxsize=1024)
def _evades(sentence: str) -> bool:
    """Remember the answer: several judgements on a sample look at the same sentences."""
    plain = sentence.replace("’", "'").strip()
    found = _refusal().search(plain)
    if found is None:
        return False
    turn = _TURN.search(plain, found.start())
    return turn is None or len(plain) - turn.end() < _CONTENT_AFTER_TURN


def is_refusal(text: str) -> bool:
    """Return whether a whole text is a refusal or an evasion.

    Every sentence evades, or the first does and the others only apologise or offer help. An
    empty text is no refusal.

    Example:
        >>> is_refusal("分かりません。"), is_refusal("Die Texte enthalten keine Angaben dazu.")
        (True, True)
        >>> is_refusal("Nobody knows the trouble I've seen."), is_refusal("")
        (False, False)
    """
    units = sentences(text)[:12]
    marks = [evades(unit) for unit in units]
    return any(marks) and all(
        mark or _OFFER.match(unit) is not None or unit.endswith(("?", "？"))
        for mark, unit in zip(marks, units, strict=True)
    )
