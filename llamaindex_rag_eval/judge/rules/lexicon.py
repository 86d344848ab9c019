"""Synonyms: words that say the same, so that a paraphrase is not taken for something new.

Written by hand from general knowledge; bars part the groups; words are
compared by stem.
"""

from functools import cache

from llamaindex_rag_eval.judge.rules.stemming import stem

__all__ = ["same_meaning"]

_GROUPS = """
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


@cache
def _table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in " ".join(_GROUPS.split()).split("|"):
        group = {stem(word) for word in line.split()}
        for word in group:
            table.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in table.items()}


def same_meaning(key: str) -> frozenset[str]:
    """Return the stems that may stand for a stem; none for a word that is not in the table.

    Example:
        >>> sorted(same_meaning("movi"))
        ['film', 'pictur']
    """
    return _table().get(key, frozenset())
