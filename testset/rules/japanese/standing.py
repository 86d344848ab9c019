"""Which Japanese noun phrases stand alone, and what sort of thing they name."""

import re
from typing import Literal

from testset.rules.japanese.closed_classes import (
    GENERAL,
    LIST,
    NOUN,
    ORGANISATION,
    PERSON,
    PLACE,
    POINTING,
    RELATIONAL,
    SORTS,
)

__all__ = [
    "Asking",
    "is_clear",
    "is_noun_phrase",
    "is_proper",
    "is_term",
    "is_vague",
    "named",
    "stands",
    "word_for",
]

Asking = Literal["誰", "どこ", "何"]
_PHRASE = re.compile(rf"^{LIST}$")
_PARTS = re.compile(r"の(?=[^の]+$)")
_ADVERBIAL = re.compile(
    r"は|ため|ので|から|[をがにでもへと]$|です|^(?:特に|古い|新しい|まだ|メイン|実際|かつて|たくさん|多数|主に|初めて|まず)|"
    r"[いっし]て(?!いる|いた)"
)
_RELATIVE = re.compile(r"(?:[るた]|ない)(?P<head>[^をがはにでへるた]{2,16})$")
_PARTICLE = re.compile(r"[をがにでもへ]|[たる](?=[一-龯ァ-ヶA-Z「『])")
_ALWAYS_RELATIVE = re.compile(
    r"(?:面積|人口|総数|者数|期間|理由|原因|結果|場合|方法|目的|時|際|後|前|中|以降|以前|とき|"
    r"こと|もの|ところ|うち|者|人)$"
)
_PROPER = re.compile(
    r"[A-Z][A-Za-z]|[a-z]{2,}[-.]?[a-z\d]|[A-Z]+-?\d|[ァ-ヺー]{4,}|[ァ-ヺー]{2,}[一-龯]|"
    r"[一-龯][ァ-ヺー]{3,}|[一-龯々]{4,}|「|『|"
    r"第\d+|\d{4}年|[一-龯々]{1,3}(?:寺|神社|城|駅|川|山|島|湖|橋|市|県|州|省|庁|党|省|湾|王|氏|"
    r"家|朝|藩|教|派|法|祭|霧)$"
)


_NAME = re.compile(
    r"^[ァ-ヺーA-Za-z]{3,}[・＝][ァ-ヺー・]{2,}$|^[ァ-ヺーA-Za-z]{2,}[一-龯]$|「|『|"
    r"[一-龯ァ-ヺー]{2,}(?:社|大学|高校|学校|寺|神社|城|条約|協定|事件)$"
)
"""A name that needs no owner beside it."""


def is_noun_phrase(text: str) -> bool:
    """Return whether a text is nouns and what joins them, and nothing else."""
    return _PHRASE.match(text) is not None


def named(phrase: str) -> bool:
    """Return whether a phrase has a name or a long compound in it.

    Example:
        >>> named("青木美術館"), named("政府"), named("ユーザ")
        (True, False, False)
    """
    return _PROPER.search(phrase) is not None and GENERAL.search(phrase) is None


def is_proper(phrase: str) -> bool:
    """Return whether a phrase is more than one bare loanword, which may be any sort of thing.

    Example:
        >>> is_proper("青木美術館"), is_proper("青木サーバ"), is_proper("カーネル")
        (True, True, False)
    """
    return named(phrase) and re.match(r"^[ァ-ヺー]+$", phrase) is None


def stands(phrase: str) -> bool:
    """Return whether one can tell what a phrase means without the text it is from.

    Example:
        >>> stands("青木市の人口"), stands("人口"), stands("その橋")
        (True, False, False)
    """
    bare = re.sub(r"「.*?」|『.*?』", "「」", phrase)
    if POINTING.search(phrase) or _ADVERBIAL.search(bare):
        return False
    if _PARTICLE.search(bare):
        relative = _RELATIVE.search(bare)
        return relative is not None and named(phrase) and not _depends(relative["head"])
    *owners, head = _PARTS.split(phrase, maxsplit=1)
    if (
        owners
        and re.match(r"^\d{4}年$", owners[0])
        and len(head) <= _LONG_COMPOUND
        and _depends(head)
    ):
        return False
    if owners:
        return (named(owners[0]) or _NAME.search(head) is not None) and not re.search(
            r"^(?:うち|一つ|ひとつ|ほか|際|時|後|場合)$", head
        )
    return named(phrase) and not _depends(phrase)


def _depends(head: str) -> bool:
    """Return whether a noun means something only beside its owner; long compounds seldom do."""
    pattern = RELATIONAL if len(head) <= _LONG_COMPOUND else _ALWAYS_RELATIVE
    return pattern.search(head) is not None


_LONG_COMPOUND = 4


def is_term(phrase: str) -> bool:
    """Return whether a phrase is one noun, of which a text may say what it is.

    Example:
        >>> is_term("木工家"), is_term("理由"), is_term("青木市の人口")
        (True, False, False)
    """
    if not re.match(rf"^{NOUN}$", phrase) or POINTING.search(phrase) or GENERAL.search(phrase):
        return False
    return len(phrase) > 1 and not _depends(phrase) and not re.search(r"\d年", phrase)


_LIGHT = re.compile(
    r"(?:適切|必要|特別|重要|主要|有用|有効|完全|正確|簡単|可能|高度|さまざま|様々|多様|大き|小さ)な|"
    r"(?:特定|複数|多く|数多く|一定|専用|別|独自|多数|各種|通常|一連|空|前|次|以下|任意|個々)の|"
    r"いくつか|(?:高|広|良|低|長|短|強|弱|新し|正し|古)い"
)
"""What only says that there is something: the answer would tell nothing."""


def is_vague(answer: str) -> bool:
    """Return whether an answer says too little: a pronoun, a bare こと or もの, a cut-off part."""
    if POINTING.search(answer) or re.match(r"^[ぁ-んー、。・)）」]", answer):
        return True
    return _LIGHT.match(answer) is not None or bool(
        re.search(
            r"(?:こと|もの|ため|など|等|よう|ところ|一部|とき|場合|わけ|、|の|と|や)$", answer
        )
    )


def is_clear(phrase: str) -> bool:
    """Return whether one can see if a phrase is somebody, somewhere or something.

    A bare name of three to five Chinese characters or of katakana may be any of them.

    Example:
        >>> is_clear("青木大学"), is_clear("青木太郎"), is_clear("「青木憲章」")
        (True, False, True)
    """
    if PERSON.search(phrase) or ORGANISATION.search(phrase) or PLACE.search(phrase):
        return True
    if SORTS.search(phrase):
        return True
    return re.search(r"(?:^|の|・)(?:[一-龯々]{3,4}|[ァ-ヺー]+)$", phrase) is None


def word_for(phrase: str) -> Asking:
    """Return the question word for a thing: 誰 for people, どこ for bodies and places, else 何.

    Example:
        >>> word_for("アンナ・ベルク"), word_for("青木大学"), word_for("青木橋")
        ('誰', 'どこ', '何')
    """
    if PERSON.search(phrase):
        return "誰"
    return "どこ" if ORGANISATION.search(phrase) or PLACE.search(phrase) else "何"
