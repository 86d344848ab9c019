"""Relations of words: synonyms, opposites and negations.

A synonym keeps a paraphrase from being taken for something new; a negation or an opposite speaks
against a claim. `synonyms.txt` has a group of words on each line, `opposites.txt` two groups parted
by a bar; both were written by hand from general knowledge of the languages. Words are compared by
stem.
"""

import re
from functools import cache
from importlib.resources import files

from llamaindex_rag_eval.judge.rules.tokens import is_cjk, normalise, stem, terms

_NEGATION = re.compile(
    r"\b(?:not|no(?!\. ?\d)|never|none|nobody|nothing|neither|nor|without|cannot|hardly|false|fail(?:s|ed)? to|"
    r"lack(?:s|ed|ing)?|unable|incorrect|untrue|myth)\b|n't\b|\b(?:is|are|was|"
    r"were|do|does|did|has|have|had|wo|would|could|should|ca)n t\b"
    r"|\b(?:nicht|kein(?:e|en|er|em|es)?|nie|niemals|ohne|weder|niemand|nichts)\b"
    r"|(?:(?<!ればなら)(?<!なくてはなら)ない|なかっ|ませ[んぬ]|なく(?!て?はな)|ずに|[させられがか]ず(?=[、にと]|$)|無い|無し|なし)"
    r"|(?:不(?!仅|但|同|过|断|少|管|论|如|得不|久|幸|错|足|满|良|安)|没|未(?!来)|无法|无需|無(?!料)|"
    r"(?<!并)非(?!常|洲|法|公)|并非|莫(?!斯)|勿|假的|谣言|错误)",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:no(?:t|ne)?|never|nicht|kein\w*)\b[^.,;]{0,30}?\b(?:(?:more|\w+er) than|exceed\w*|over|above|under|below|"
    r"(?:mehr|\w+er) als|über\w*|unter\w*)(?: \w+)? ?[$€£¥]?(?=\d)"
    r"|\bno later than\b|不(?:得|能|可|应|会)?(?:超过|多于|少于|高于|低于|晚于|早于|大于|小于)(?=.{0,2}\d)"
    r"|(?<=\d).{0,4}を?(?:超え|上回|下回)\w{0,8}(?:ない|ません)",
    re.IGNORECASE,
)
"""A negation that makes a number the most or the least, and denies nothing."""
_DENIES_OTHERWISE = re.compile(
    r"\b(?:prevent|avoid|prohibit|refus|unless|until|verhinder|vermeid|verhüt|verweiger|solange|erst)\w*"
    r"|\b(?:keep|kept|stop)\w* .{1,40}? from\b|\bonly (?:if|when|after)\b"
    r"|防止|避免|阻止|除非|只有.{1,14}才|防[ぐいげ]|避け|阻[むん止]|限り|うちは|ないと(?![さ言い思考の])|なければ(?!な)",
    re.IGNORECASE,
)
"""Words that deny something, or say when it is so, without a negation."""
_NEAR = re.compile(r"\W*\w+\W*?")
_NEAR_EAST = re.compile(r"\w{1,2}")
_AROUND = 3
"""Words, or pairs of characters, around a negation that it may deny."""
_QUANTITIES = (
    r"\b(?:few|rarely|seldom|hardly any|a minority|minderheit|wenige[nr]?|selten|kaum)\b"
    r"|少数|很少|极少|めったに|まれに|わずか",
    r"\b(?:some|sometimes|several|occasionally|partly|partially|einige[nrs]?|manche?[nrs]?|manchmal|mehrere[nr]?|"
    r"teilweise|teils|gelegentlich)\b|一些|有些|部分(?!の)|有时|有的|偶尔|若干|一部|いくつか|時々|ときどき|たまに",
    r"\b(?:most|mostly|mainly|majority|largely|usually|typically|generally|normally|often|many|"
    r"frequently|almost all|nearly all|meiste[nr]?|meist|meistens|mehrheit|überwiegend|hauptsächlich|vorwiegend|"
    r"gewöhnlich|normalerweise|in der regel|oft|häufig|viele[nr]?|fast alle)\b"
    r"|大多|大部分|多数|大半|通常|主要|一般|经常|常常|往往|许多|很多|几乎|ほとんど|多くの|の多く|大部分|主に|"
    r"たいてい|普通は|よく|しばしば",
    r"\b(?:(?<!not )all|every|each|always|everyone|everybody|everything|entirely|completely|invariably|any|"
    r"without exception|alle[nrsm]?|jede[nrsm]?|immer|sämtliche[nr]?|stets|ausnahmslos|vollständig|gesamte[nr]?)\b"
    r"|所有|全部|全都|全体|一律|总是|一直|始终|任何|每个|每一|すべて|全て|全員|必ず|いつも|常に|あらゆる|どの.{1,8}も|皆",
)
"""How many, from few to all."""
_EXCLUSIVE = re.compile(
    r"\b(?:only|solely|exclusively|alone|nothing but|nur|ausschließlich|lediglich|allein|bloß)\b(?! (?:one|two|\d|ein|zwei))"
    r"|只(?!要|[一-九两\d])|仅(?![一-九两\d])|唯一|のみ|だけ(?!で?なく)|しか(?=.{0,12}ない|.{0,12}ませ)|に限",
    re.IGNORECASE,
)


def synonyms_of(key: str) -> frozenset[str]:
    """Return the stems that may stand for a stem; none for a word that is not in the table.

    Example:
        >>> sorted(synonyms_of("movi"))
        ['film', 'pictur']
    """
    return _synonyms().get(key, frozenset())


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _lines("synonyms.txt"):
        group = {stem(word) for word in line.split()}
        for word in group:
            table.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in table.items()}


def _lines(name: str) -> list[str]:
    return files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()


def count_negations(text: str) -> int:
    """Return how many negations a text has.

    Example:
        >>> [count_negations(text) for text in ("It is not red.", "赤くない", "Er kam nie.", "Yes")]
        [1, 1, 1, 0]
        >>> count_negations("Take not more than four."), count_negations("不得超过六片")
        (0, 0)
    """
    if not _NEGATION.search(text.replace("’", "'")):  # most texts: to look once is enough
        return 0
    return len(_NEGATION.findall(_without_bounds(text)))


def _without_bounds(text: str) -> str:
    """Return a text in which "not more than 4" denies nothing."""
    plain = text.replace("’", "'")
    if not _NEGATION.search(plain):
        return plain
    return _BOUND.sub(lambda found: " " * len(found.group()), normalise(plain))


def denies_otherwise(text: str) -> bool:
    """Return whether a text denies, or limits to a time or case, without a negation.

    Example:
        >>> denies_otherwise("It keeps rain from entering."), denies_otherwise("Rain enters.")
        (True, False)
    """
    return _DENIES_OTHERWISE.search(text) is not None


def around_negations(text: str) -> list[str]:
    """Return the words around each negation of a text.

    Example:
        >>> around_negations("It is not sold in the old town.")
        ['It is not sold in the']
    """
    near = _NEAR_EAST if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", text) else _NEAR
    found = []
    text = _without_bounds(text)
    for match in _NEGATION.finditer(text):
        before = [each.start() for each in near.finditer(text, 0, match.start())][-_AROUND:]
        after = [each.end() for each in near.finditer(text, match.end())][:_AROUND]
        found.append(text[(before or [match.start()])[0] : (after or [match.end()])[-1]].strip())
    return found


def without_negations(text: str) -> str:
    """Return a text without what denies it.

    Example:
        >>> without_negations("Is it not red?")
        'Is it  red?'
    """
    return _NEGATION.sub("", text)


@cache
def antonyms() -> dict[str, frozenset[str]]:
    """Return the opposites of each stem that has some; of CJK characters and pairs too."""
    found: dict[str, set[str]] = {}
    for line in _lines("opposites.txt"):
        one, other = ({_key(word) for word in side.split()} for side in line.split("|"))
        for word in one | other:
            against = (other if word in one else set()) | (one if word in other else set())
            found.setdefault(word, set()).update(against - {word})
    return {word: frozenset(opposites) for word, opposites in found.items()}


def _key(word: str) -> str:
    return word if is_cjk(word) else terms(word)[-1].key


def quantities(text: str) -> dict[int, str]:
    """Return how many a text speaks of, from 1 (few) to 4 (all), each with its word.

    Example:
        >>> quantities("Most locks are red, all are old."), quantities("一部の塔")
        ({3: 'most', 4: 'all'}, {2: '一部'})
    """
    plain = text.lower()
    found = ((level, re.search(form, plain)) for level, form in enumerate(_QUANTITIES, start=1))
    return {level: match.group() for level, match in found if match}


def exclusive(text: str) -> str:
    """Return the word by which a text says that there is nothing else, as "only", or "".

    Example:
        >>> exclusive("It is sold only here."), exclusive("It takes only one day.")
        ('only', '')
    """
    found = _EXCLUSIVE.search(text)
    return found.group() if found else ""
