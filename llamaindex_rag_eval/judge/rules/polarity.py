"""Polarity: negations and opposites."""

import re
from functools import cache

from llamaindex_rag_eval.judge.rules.stemming import stem

__all__ = ["antonyms", "negations"]

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|hardly|false|fail(?:s|ed)?|"
    r"lack(?:s|ed|ing)?|isn|aren|wasn|weren|don|doesn|didn|hasn|haven|hadn|won|wouldn|couldn|"
    r"shouldn|can't|unable|incorrect|untrue|myth)\b(?:'t)?|n't\b"
    r"|\b(?:nicht|kein(?:e|en|er|em|es)?|nie|niemals|ohne|weder|niemand|nichts)\b"
    r"|(?:ない|なかっ|ませ[んぬ]|なく|ずに|無い|無し|なし)"
    r"|(?:不(?!仅|但|同|过|断|少|管|论|如|得不)|没|未|无法|无需|無|非(?!常|洲)|别|莫|勿|假的|谣言|错误)",
    re.IGNORECASE,
)
_OPPOSITES = """
first last; early late; earlier later; before after; north south; northern southern; east west;
eastern western; high low; higher lower; highest lowest; large small; larger smaller; largest
smallest; big little; bigger smaller; biggest smallest; long short; longer shorter; longest
shortest; old new; older newer; oldest youngest; young old; more less; most least; more fewer;
increase decrease; increased decreased; increases decreases; increasing decreasing; rise fall; rose
fell; male female; men women; man woman; boy girl; he she; his her; husband wife; father mother; son
daughter; brother sister; king queen; open closed; opened closed; begin end; began ended; start
finish; started ended; win lose; won lost; best worst; better worse; good bad; hot cold; warm cool;
true false; left right; top bottom; upper lower; inside outside; indoor outdoor; alive dead; born
died; birth death; rich poor; strong weak; hard soft; light dark; black white; day night; winter
summer; spring autumn; public private; accept reject; accepted rejected; allow forbid; allowed
forbidden; allowed prohibited; buy sell; bought sold; love hate; loves hates; success failure;
positive negative; minimum maximum; major minor; majority minority; always never; all none; common
rare; same different; similar different; cheap expensive; fast slow; thick thin; wide narrow; deep
shallow; heavy light; safe dangerous; front back; above below; over under; domestic foreign; urban
rural; active inactive; possible impossible; include exclude; includes excludes; legal illegal;
single married; ancient modern; natural artificial; professional amateur; wet dry; full empty;
vor nach; erste letzte; groß klein; hoch niedrig; alt neu; nord süd; mehr weniger; kalt warm
"""
_CJK_OPPOSITES = """
前後 上下 左右 男女 白黒 大小 多少 高低 長短 新古 内外 立座 昼夜 朝夜 東西 南北
赤青 青黄 赤白 明暗 開閉 犬猫
馬牛 父母
屋内屋外
前后 长短 新旧 买卖 真假 对错 冷热 快慢 好坏 生死 有無 有无 能不 会不
"""


def negations(text: str) -> int:
    """Return how many negations a text has.

    Example:
        >>> [negations(text) for text in ("It is not red.", "赤くない", "Er kam nie.", "Yes")]
        [1, 1, 1, 0]
    """
    return len(_NEGATION.findall(text.replace("’", "'")))


@cache
def antonyms() -> dict[str, frozenset[str]]:
    """Return the opposites of each stem that has some; of CJK characters and pairs too."""
    found: dict[str, set[str]] = {}
    for pair in _OPPOSITES.split(";"):
        first, second = (stem(word) for word in pair.split())
        found.setdefault(first, set()).add(second)
        found.setdefault(second, set()).add(first)
    for pair in _CJK_OPPOSITES.split():
        half = len(pair) // 2
        found.setdefault(pair[:half], set()).add(pair[half:])
        found.setdefault(pair[half:], set()).add(pair[:half])
    return {word: frozenset(opposites) for word, opposites in found.items()}
