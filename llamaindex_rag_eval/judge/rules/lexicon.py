"""Relations of words: synonyms, opposites and negations.

A synonym keeps a paraphrase from being taken for something new; a negation or an opposite speaks
against a claim. The tables were written by hand from general knowledge of the languages; words
are compared by stem.
"""

import re
from functools import cache

from llamaindex_rag_eval.judge.rules.tokens import stem

__all__ = ["antonyms", "count_negations", "synonyms_of"]

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|hardly|false|fail(?:s|ed)?|"
    r"lack(?:s|ed|ing)?|isn|aren|wasn|weren|don|doesn|didn|hasn|haven|hadn|won|wouldn|couldn|"
    r"shouldn|can't|unable|incorrect|untrue|myth)\b(?:'t)?|n't\b"
    r"|\b(?:nicht|kein(?:e|en|er|em|es)?|nie|niemals|ohne|weder|niemand|nichts)\b"
    r"|(?:ない|なかっ|ませ[んぬ]|なく|ずに|無い|無し|なし)"
    r"|(?:不(?!仅|但|同|过|断|少|管|论|如|得不)|没|未|无法|无需|無|非(?!常|洲)|别|莫|勿|假的|谣言|错误)",
    re.IGNORECASE,
)
_SYNONYMS = """
begin start commence launch initiate | end finish conclude complete | create found establish form
develop invent make originate build construct introduce | release publish issue debut premiere |
film movie picture | author writer write novelist | famous popular known renowned celebrated | big
large huge great vast | small little tiny | many numerous multiple several various | old ancient |
fast quick rapid swift | country nation | city town | company firm business corporation
organization organisation enterprise | house home residence | car automobile vehicle | child kid |
show series program programme | song track single | band group | singer vocalist | buy purchase
acquire | get obtain receive gain | use utilize employ usage | help assist aid | need require
necessary requirement | show display demonstrate | say state tell mention | near close | locate
situate lie | live reside inhabit | die death dead | bear birth born | marry wife husband spouse
marriage | win victory winner | award prize | kill murder | job occupation profession career |
teacher instructor | doctor physician | picture image photo photograph | allow permit enable let |
stop halt cease prevent | choose select pick | change alter modify | increase rise grow growth |
decrease reduce decline drop | rich wealthy | poor impoverished | smart intelligent | hard
difficult | easy simple | main primary principal chief | important significant crucial essential |
different distinct | same identical similar | often frequently | usually typically generally
normally commonly | about approximately around roughly nearly almost | also additionally too |
because since due | however but although | contain include comprise consist | own possess | work
function operate | try attempt | happen occur | cause lead result | think believe consider | like
enjoy love | talk speak | look see watch view | big major | part portion piece component | type
kind sort form variety | area region zone | amount quantity | beginning origin start | film cinema
| game match | team club | player athlete | sea ocean | forest wood | road street | boat ship
vessel | plane aircraft airplane aeroplane | soldier troop | war conflict | law legislation | rule
regulation | money cash | cost price expense | cheap inexpensive | expensive costly | food meal
dish | drink beverage | animal creature | dog canine puppy | cat feline | color colour | favorite
favourite | center centre | theater theatre | woman female lady | man male guy | mother mom mum |
father dad | parent mother father | grow raise cultivate | teach instruct | learn study | student
pupil | school academy | university college | book novel | story tale | movie film | music song |
actor actress | king queen monarch | president leader head | government administration | usa
america american us | uk britain british england english | germany german | france french | spain
spanish | italy italian | china chinese | japan japanese | russia russian soviet | ireland irish |
scotland scottish | wales welsh | netherlands dutch holland | denmark danish | sweden swedish |
norway norwegian | poland polish | greece greek | turkey turkish | switzerland swiss | canada
canadian | mexico mexican | brazil brazilian | india indian | australia australian | africa
african | europe european | asia asian | egypt egyptian | portugal portuguese | finland finnish |
israel israeli | korea korean | vietnam vietnamese | january jan | february feb | march mar |
april apr | august aug | september sep sept | october oct | november nov | december dec |
kilometer kilometre km | meter metre m | kilogram kg | percent % | television tv | worldwide
global globally international | adaptation version | outside outdoors | inside indoors | sick ill
| scared afraid | happy glad | sad unhappy | quiet silent | loud noisy | strong powerful | weak
feeble | beautiful pretty | ugly unattractive | clever smart | strange odd weird | true correct
right accurate | false incorrect wrong | whole entire complete | empty vacant | full filled | open
opened | shut closed close | goal aim objective purpose | idea concept notion | problem issue |
answer reply response | error mistake fault | danger risk hazard | damage harm | repair fix |
carry transport | send ship | collect gather | join unite | divide split separate | remove delete
erase | keep retain maintain | protect guard defend | attack assault | discover find | explain
describe | show reveal | hide conceal | grow expand | shrink contract | earn make | pay
compensation salary | anfangen beginnen starten | enden aufhören | gründen errichten | bauen
errichten | kaufen erwerben | auto wagen pkw | haus gebäude | film kinofilm | groß riesig | klein
winzig | schnell rasch | sterben tod | frau weiblich | mann männlich | kind kinder | stadt ort |
land staat | firma unternehmen betrieb | beruf arbeit | ende schluss
"""
"""Groups of words that say the same, parted by bars."""
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
赤青 青黄 赤白 明暗 開閉 犬猫 馬牛 父母 屋内屋外
前后 长短 新旧 买卖 真假 对错 冷热 快慢 好坏 生死 有無 有无 能不 会不
"""


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
    for words in " ".join(_SYNONYMS.split()).split("|"):
        group = {stem(word) for word in words.split()}
        for word in group:
            table.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in table.items()}


def count_negations(text: str) -> int:
    """Return how many negations a text has.

    Example:
        >>> [count_negations(text) for text in ("It is not red.", "赤くない", "Er kam nie.", "Yes")]
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
