"""Weights: how much a term says about a subject, before any text is read.

Rare words say most, words of content that nearly every text has say little, function words
next to nothing. The lists of common words, two tiers of English and one of German, were written
by hand from general knowledge of the languages; no corpus and no data set was counted. They are
looked up by stem.
"""

import re
from functools import cache, lru_cache

from llamaindex_rag_eval.judge.rules.tokens import Term, stem
from llamaindex_rag_eval.judge.rules.vocabulary import (
    cjk_function_characters,
    function_words,
)

COMMON = 2
"""Commonness of words that nearly every text has."""
FAMILIAR = 1
"""Commonness of words of daily life that say little about a subject."""

FUNCTION_WEIGHT = 0.1
"""Weight of a function word; a rare word weighs 1."""
COMMON_WEIGHT = 0.35
"""Weight of a word of content that nearly every text has."""
_WEIGHT_OF = {COMMON: COMMON_WEIGHT, FAMILIAR: 0.65, 0: 1.0}
_SHORT = 3
"""Letters up to which a word in small letters weighs at most `_SHORT_WEIGHT`."""
_SHORT_WEIGHT = 0.7
_NUMBER_WEIGHT = 1.1
"""A number is as good as a rare word, and a claim with another number is another claim."""
_CJK_SINGLE = 1.0
"""Weight of a single character: other than hiragana it carries the meaning; pairs add order."""
_CJK_PAIR = 0.3
_KANA_PAIR = 0.15
"""Weight of a pair with hiragana, which is mostly grammar."""
_HIRAGANA = re.compile(r"[\u3040-\u309f]+")


@lru_cache(maxsize=65_536)
def weight_of(term: Term) -> float:
    """Return how much a term says, from `FUNCTION_WEIGHT` to 1.1, the weight of a number.

    Example:
        >>> weight_of(Term("the", "The", "word")), weight_of(Term("turbin", "turbine", "word"))
        (0.1, 1.0)
    """
    if term.kind == "cjk":
        return _cjk_weight(term.key)
    if term.kind == "number":
        return _NUMBER_WEIGHT
    folded = term.surface.casefold().removesuffix("'s")
    if folded in function_words() or (len(folded) == 1 and not term.surface.isupper()):
        return FUNCTION_WEIGHT
    weight = _WEIGHT_OF[commonness(term.key)]
    if len(folded) <= _SHORT and not term.surface[0].isupper():
        return min(weight, _SHORT_WEIGHT)
    return weight


def _cjk_weight(key: str) -> float:
    functional = sum(character in cjk_function_characters() for character in key)
    if functional == len(key):
        return FUNCTION_WEIGHT
    if _HIRAGANA.fullmatch(key):
        return _KANA_PAIR
    if len(key) == 1:
        return _CJK_SINGLE
    return _KANA_PAIR if functional else _CJK_PAIR


def commonness(key: str) -> int:
    """Return how common a stem is: `COMMON`, `FAMILIAR`, or 0 for all others.

    Example:
        >>> [commonness(stem(word)) for word in ("makes", "painting", "turbine")]
        [2, 1, 0]
    """
    return _commonness_of_stems().get(key, 0)


@cache
def _commonness_of_stems() -> dict[str, int]:
    table = {stem(word): FAMILIAR for word in _FAMILIAR.split()}
    return table | {stem(word): COMMON for word in f"{_COMMON} {_GERMAN}".split()}


_COMMON = """
say get make go come take know see think use give find tell ask work seem feel try leave call name
many much lot kind sort type way thing person people man woman child time year month week day hour
minute today tomorrow yesterday good great new first last long little big small high low old young
right left different same large next early late important able include another well back still
around part place case number group world life hand point mean want need let put show set become
example really yeah yes oh sure actually probably maybe quite pretty love like enjoy favorite
favourite interest awesome nice cool amaze wonderful fun something anything everything nothing
someone anyone everyone somewhere start begin end stop keep run play move live believe hold bring
happen write provide sit stand lose pay meet continue learn change lead understand watch follow
create speak read allow add spend grow open walk win offer remember consider appear buy wait serve
die send expect build stay fall cut reach kill remain guess hope hear wonder agree thank hello hi
hey bye bit guy friend home house school state family student country problem question fact
eat drink drive sleep talk visit travel listen wish hate prefer care worry matter reason answer
true false real full whole main common popular famous best better worse worst bad hard easy
possible special certain clear recent likely simple free able happy sad glad sorry afraid ready
line end side area city town street water room mother father parent boy girl story lot month money
book word job business issue company system program government service power hour game member law
car community president team minute idea kid body information thing nothing mind face level office
door health art war history party result morning night reason research moment teacher force
education foot age policy music process sense nation plan college interest death experience effect
class field development role effort rate heart drug show leader light voice wife husband police
sound kind type form half quarter third million billion thousand hundred dozen pair couple single
double total average several amount quantity size length list order period term view turn help
thing stuff anyway besides indeed especially usually generally mostly nearly almost already
together away ago soon later instead rather either else perhaps however although though despite
"""
_FAMILIAR = """
accept achieve act action activity actor actress actually address admit adult affect age agency
agreement ahead air allow alone along ancient animal announce annual appearance apply approach
argue arm army arrive article artist assume attack attempt attend attention audience author
authority available avoid award baby ball band bank bar base basic basis battle beach beat
beautiful beauty bed begin behavior benefit bird birth black blood blue board boat bottom box brain
branch brand break breed bridge brief bright brother brown brush budget campaign camera cancer
capital card career carry cat catch cause cell center central century chain chair challenge chance
channel chapter character charge chart check chief choice choose church citizen civil claim clean
climb clothes club coach coast code coffee cold collect collection color colour combine comedy
comfort command comment commercial compare compete competition complete complex computer concept
concern condition conduct conference connect contact contain content contest context contract
control cook copy corner correct cost count course court cover craft crime crisis critic cross
crowd cultural culture cup current customer cycle daily damage dance danger dark data date daughter
deal debate decade decide decision deep defeat defend define degree deliver demand democratic
depend describe desert design desire destroy detail determine develop device dialogue diet
difference difficult dinner direct direction director discover discuss disease display distance
district divide doctor document dog domestic door doubt draw dream dress drop dry duty earn earth
east economic economy edge edition effective egg elect election element emotion employ empty
encourage enemy energy engage engine enter entertain entire environment equal equipment era escape
establish estimate evening event eventually evidence evil exact exchange exist expand expensive
expert explain express extend extra eye factor fail fair faith fan far farm fashion fast fat fear
feature federal female fiction fight figure fill film final finance finger finish fire firm fish
fit fix flat flight floor flow flower fly focus food force foreign forest forget formal former
forward found freedom fresh front fruit fuel function fund future garden gas gather gender general
generation gift glass global goal gold govern grade grand grass gray green ground growth guard
guest guide gun habit hair hall hang head heat heavy height hero highlight hill hire hit holiday
horse hospital host hot hotel huge human hundred hunt ice identify ill image imagine impact improve
income increase independent indicate individual industry influence inform injury inside inspire
institution instrument intend interior international internet interview introduce invent invest
involve island item jail join joint journal journey judge jump justice key kick king kitchen
knowledge label labor lady lake land language laugh launch lawyer lay leaf league legal length
lesson letter library lie lift limit link lion lip literature load loan local locate location lock
loss loud low luck lunch machine magazine mail maintain major majority male manage manager map mark
market marriage marry mass master match material maximum meal measure meat media medical medicine
medium memory mention message metal method middle military milk mine minor minute miss mission
mistake mix model modern moon mountain mouth movement movie murder muscle museum musical musician
nature near necessary neck network news newspaper normal north note notice novel nuclear object
observe obtain occur ocean official oil operate operation opinion opportunity opposite option
orange organization organize origin original outside owner pack page pain paint painting paper
park participate partner pass past path patient pattern peace perfect perform performance personal
phone photo physical piano pick picture piece pilot pink plane planet plant plate player pleasure
plenty plot pocket poem poet poor population position positive post potential practice prepare
presence present press pressure prevent previous price prince princess principle print prison
private prize produce product production profession professional professor profit project promote
proper property protect protein prove public publish pull purchase pure purple purpose push quality
queen quick quiet quote race racial radio rain raise range rare rate reach react reality realize
receive recognize recommend record recover red reduce refer reflect refuse region relate
relationship relax release religion religious rely remain remove rent repair repeat replace reply
report represent request require resource respond response responsible rest restaurant return
reveal review rich ride ring rise risk river road rock roll romantic roof root rose round route
rule safe sale salt sand save scale scene schedule science scientific scientist score screen sea
search season seat secret section security seed select sell senior series serious session settle
seven severe sex shake shape share shoe shoot shop shore short shot shoulder shut sick sight sign
significant similar sing singer single sister site situation skill skin sky slow smile smoke snow
social society soft software soil soldier solid solution solve song source south space speech speed
spirit sport spot spread spring square staff stage standard star statement station statistic status
steel step stick stock stone store strange strategy stream strength stress strike string strong
structure struggle studio study style subject success successful sudden sugar suggest suit summer
sun supply support suppose surface surprise survive sweet swim symbol table tale talent tall target
task taste tax tea teach tear technical technique technology teen television temperature tend term
test text theater theory thick thin threat throw thus ticket tie tight tiny tip title tool tooth
top topic tour tourist tower track trade tradition traditional train transfer transport treat
treatment tree trial trip troop trouble truck trust truth tune twin union unique unit university
unusual upper urban user usual valley value variety various vast vegetable vehicle version victim
victory video village violence vision visual vote wall warm wash waste wave weak wealth weapon wear
weather web wedding weekend weight west western wheel white wide wild wind window wine wing winner
winter wood worker worth wrong yard yellow youth zone
"""
_GERMAN = """
machen gehen kommen geben sagen jahr tag zeit teil mensch gut groß neu erste viel wenig immer wieder
beispiel heute bereits sowie insbesondere nennen bekannt stehen lassen finden bleiben liegen heißen
denken nehmen tun beginnen führen bringen leben fahren stellen halten zeigen hören spielen arbeiten
brauchen folgen lernen verstehen setzen bekommen verwenden nutzen erhalten bilden erreichen
verschieden wichtig möglich einfach ganz klein lang hoch alt jung spät früh letzte nächste stark
haus stadt land welt frau mann kind leute frage antwort problem grund form art weise bereich ende
seite punkt zahl hand kopf weg platz woche monat stunde minute zweite dritte
"""
