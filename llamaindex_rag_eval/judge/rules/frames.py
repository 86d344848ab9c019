"""Frames: what stands around a short answer, as "The answer is …" or "…だと思います"."""

import re

from llamaindex_rag_eval.judge.rules.tokens import terms

_BEFORE = re.compile(
    # English
    r"(?:according to|based on|as (?:stated|mentioned|described) in|from) (?:the|this|these|those|"
    r"your|our|my) [\w ]{3,40}?(?:,|:)\s*"
    r"|(?:i (?:think|believe|guess|suppose|would say|'d say)|as far as i (?:know|can tell)|"
    r"if i (?:remember|recall) (?:correctly|rightly)|to my knowledge|it (?:seems|appears))"
    r"(?:,| that)?\s+"
    r"|(?:the |my )?(?:\w+ )?answer(?: to (?:the|this|your) question)?(?: is| would be| should be|:)"
    r"(?: that)?\s+"
    r"|(?:it|that|this|he|she|they|these|those)(?:'s| is| was| are| were| would be| will be| "
    r"should be| must be| has been)\s+"
    # German
    r"|(?:laut|gemäß|nach|zufolge) (?:de[mnr]|diese[mnr]|ihre[mnr]|unsere[mnr])? ?[\w-]{3,30}\s+"
    r"(?:ist|sind|war|waren|wäre|wären|handelt) (?:es|sie|er|das)\s+"
    r"|(?:ich (?:glaube|denke|meine|vermute|nehme an)|soweit ich weiß|meines wissens)"
    r"(?:, dass|,)?\s+(?:(?:ist|sind|war|waren) (?:es|das)\s+)?"
    r"|(?:die |meine )?(?:\w+ )?antwort(?: auf (?:die|diese|ihre) frage)?"
    r"(?: lautet| ist| wäre| heißt|:)\s*:?\s*"
    r"|(?:es|das|dies|er|sie)(?: ist| sind| war| waren| wäre| wären| handelt sich um| lautet)\s+"
    # Chinese
    r"|(?:根据|按照|依据|从)[^，,。]{1,15}(?:来看|看来|可知|中)?[，,]\s*"
    r"|(?:我(?:想|认为|觉得|猜)|据我所知|应该|大概|可能|好像)[，,]?\s*"
    r"|(?:这个|该|此|这一)?(?:问题的?)?(?:正确)?(?:答案|回答)(?:应该|应当)?(?:是|为)?[：:，,]?\s*"
    r"|(?:它|这|那|他|她)?(?:应该|应当|大概|可能|就)?是\s*"
    # Japanese
    r"|[^。、]{1,15}(?:によると|によれば|に基づくと|から見ると)[、,]?\s*"
    r"|(?:正しい)?(?:答え|正解|回答|解答)(?:は|：|:)[、,]?\s*"
    r"|(?:それ|これ|そこ|ここ|あれ)は[、,]?\s*"
    r"|(?:おそらく|たぶん|恐らく|確か)[、,]?\s*",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:だ|である|です)?(?:と(?:思います|思う|考えます|考えられます|されています|書かれています|"
    r"記載されています|のことです)|でしょう|だろう|のようです|となります|になります|です|である|であった|でした|だ|だった)"
    r"(?:[ねよ])?[。.！!]*$"
    r"|(?:吧|呢|的)?[。！!]$"
    r"|,? (?:i (?:think|believe|guess)|if i remember (?:correctly|rightly)|glaube ich|denke ich)"
    r"[.!]*$",
    re.IGNORECASE,
)
_MOST = 3
"""Frames around one another."""
_YES = re.compile(
    r"\W*(?:yes|yeah|yep|yup|ja|jawohl|doch|はい|ええ|そうです|是的?|对|会|可以|能|有)"
    r"(?=\s*(?:[,.!:;，。、！：；-]|$))",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\W*(?:no|nope|nein|いいえ|いや|違います|不(?:是|会|能|可以|行|对)?|没有|否)"
    r"(?=\s*(?:[,.!:;，。、！：；-]|$))",
    re.IGNORECASE,
)


def without_frame(text: str) -> str:
    """Return an answer without what only introduces it, or the text if nothing else is there.

    Example:
        >>> without_frame("According to the manual, the answer is 308."), without_frame("答えは20年です。")
        ('308.', '20年')
        >>> without_frame("Das wäre Graz."), without_frame("我认为答案是两年。")
        ('Graz.', '两年')
    """
    plain = text.strip()
    for _ in range(_MOST):
        found = _BEFORE.match(plain)
        rest = plain[found.end() :] if found else plain
        rest = _AFTER.sub("", rest).strip()
        if rest == plain or not terms(rest):
            break
        plain = rest
    return plain


def polarity_of(text: str) -> bool | None:
    """Return whether a text begins with yes (`True`) or no (`False`), else `None`.

    Example:
        >>> polarity_of("Yes, it does."), polarity_of("Nein."), polarity_of("Nobody knows.")
        (True, False, None)
    """
    if _YES.match(text):
        return True
    return False if _NO.match(text) else None
