"""German finite verbs: the small irregular classes by list, all others by their ending."""

import re

from testset.rules.german.words import listed

__all__ = [
    "HAVE",
    "MODALS",
    "PASSIVE",
    "finite_inside",
    "is_done",
    "is_finite",
    "is_plural",
]

PASSIVE = frozenset({"wird", "werden", "wurde", "wurden"})
HAVE = frozenset({"hat", "haben", "hatte", "hatten"})
_BE = frozenset({"ist", "sind", "war", "waren"})
MODALS = listed(
    "kann können konnte konnten muss müssen musste mussten soll sollen sollte sollten will wollen "
    "wollte wollten darf dürfen durfte durften mag mögen mochte mochten"
)
_PAST = listed(
    "begann bekam besaß bestand betrug betraf betrieb bewies bezog blieb brach brachte bot band "
    "bat dachte empfahl empfing enthielt entkam entsprach entstand entwarf entzog erfand erfuhr "
    "ergab erhielt erhob erkannte ernannte erschien ersann erwarb erwies erzwang fand fiel floh "
    "flog floss fuhr gab galt gebar gefiel gelang genoss geriet geschah gewann gewährte ging "
    "glich griff half hielt hieß hing hob kam kannte klang lag las lief lieh ließ litt maß "
    "missfiel nahm nannte pries rief rann riss roch sah sandte sang sank saß schien schlief "
    "schlug schloss schnitt schob schoss schrieb schritt schuf schwamm schwieg schwor sprach "
    "sprang stahl stand starb stieg stieß stritt tat traf trank trat trieb trug überwand übernahm "
    "überschritt übertraf übertrug umfing umgab unterlag unternahm unterschied unterschrieb "
    "verband verbarg verblieb verbot verbrachte verdarb verfiel vergab vergaß verglich verhielt "
    "verlieh verließ verlor vermied verriet verschob verschrieb verschwand versprach verstand "
    "verstarb verstieß versuchte vertrat vertrieb verzieh wandte warb warf wich widersprach "
    "widerstand wog wuchs wusste zerbrach zerfiel zog zwang bewarb besann beschloss beschrieb "
    "beging befand befahl beriet berief beruhte entschied entließ erlag erließ erlitt erreichte "
    "ersetzte erstieg ertrank verlief verfuhr überließ unterhielt umschloss"
)
_PRESENT = listed(
    "weiß tut geht gilt gehört gelingt gelangt genießt gerät geschieht gewinnt gewährt gibt gießt "
    "gleicht gliedert glaubt grenzt gestattet gewährleistet genügt gefährdet heißt isst lässt "
    "liest misst nimmt sieht spricht steht stirbt tritt trifft trägt tragen gehen geben gehören "
    "gelten gelangen genießen geraten geschehen gewinnen gewähren gestatten gefallen"
)
_PLURAL_PAST = re.compile(r"(?P<stem>[a-zäöüß]+)en$")
_NOT_FINITE = listed(
    "nicht jetzt meist selbst zuerst zuletzt erst fast dort oft seit mit statt samt insgesamt "
    "nebst genannt bekannt zumeist längst weit laut gut acht hundert tausend letzt übelst höchst "
    "nächst möglichst mindest äußerst selten gegen neben zwischen wegen eben innen außen oben "
    "unten hinten vergangenen kommenden eigenen einzelnen anderen ersten zweiten dritten letzten "
    "halten allen beiden solchen vielen wenigen manchen einen keinen seinen ihren diesen jenen "
    "welchen denen seitens namens mittels morgen sogenannte sogenannten bekannte bekannten "
    "bestimmte bestimmten gesamte gesamten heute rechte rechten alte alten dritte zweite vierte "
    "fünfte sechste siebte achte neunte zehnte erste letzte nächste späte dicht direkt "
    "leicht echt recht schlecht sonst ernst einst selbst nachts rechts außen tot rot bunt "
    "privat separat konstant relevant bewusst berühmt verwandt gesamt zukunft breit bereit "
    "sanft jüngst unlängst demnächst zunächst vorerst hart zart kalt alt halt nackt glatt matt "
    "satt fett nett fest stolz wert dazwischen dagegen hingegen daneben soweit insoweit"
)
_SHORTEST = 4


def is_finite(word: str) -> bool:
    """Return whether a small word in the second place of a clause can be its finite verb.

    Example:
        >>> is_finite("gründete"), is_finite("verwaltet"), is_finite("seit")
        (True, True, False)
    """
    if _surely_finite(word):
        return True
    if not word.isalpha() or not word.islower() or word in _NOT_FINITE or len(word) < _SHORTEST:
        return False
    participle = re.match(r"ge[a-zäöüß]+(?:t|en)$", word) is not None
    return word.endswith(("te", "ten", "t", "en", "eln", "ern")) and not participle


def _surely_finite(word: str) -> bool:
    closed = PASSIVE | HAVE | _BE | MODALS | _PAST | _PRESENT
    plural = _PLURAL_PAST.match(word)
    return word in closed or (plural is not None and plural["stem"] in _PAST)


def is_plural(verb: str) -> bool:
    """Return whether a finite verb wants a subject in the plural.

    Example:
        >>> is_plural("wurden"), is_plural("wurde")
        (True, False)
    """
    return verb in {"sind", "waren"} or verb.endswith(("en", "eln", "ern"))


def is_done(word: str) -> bool:
    """Return whether a word can close a clause that an auxiliary opened.

    Example:
        >>> is_done("gegründet"), is_done("Haus")
        (True, False)
    """
    return word.islower() and word.endswith(("t", "n")) and len(word) > 3


_WEAK_PAST = re.compile(r"(?:[a-zäöüß]{3,}(?:[bcdfghjklmnprsßtvwxz]|ier|e)te|[a-zäöüß]{4,}ten)$")
_AFTER_NOUN = re.compile(r"(?:^|[\s,])(?P<before>[\wäöüßÄÖÜ.’'-]+,?) (?P<word>[a-zäöüß]+)(?= |,|$)")
_ADJECTIVE_BEFORE = listed(
    "der die das den dem des ein eine einen einem einer eines und oder zu sehr am kein keine "
    "keinen keiner mit von aus in für als durch auf an bei nach über unter"
)


def finite_inside(text: str) -> bool:
    """Return whether a stretch after the verb holds a second finite verb.

    Example:
        >>> finite_inside("in Ely und wurde dort alt"), finite_inside("in Ely gebaut")
        (True, False)
    """
    words = text.replace(",", "").split()
    closed = (PASSIVE | HAVE | _BE | MODALS) - {"werden", "haben", "können", "müssen", "mögen"}
    for number, word in enumerate(words):
        before = words[number - 1] if number else ""
        if word in closed or (word in _PAST and word not in {"laut"}):
            return True
        past = _WEAK_PAST.match(word) is not None and word not in _NOT_FINITE
        attribute = before in _ADJECTIVE_BEFORE or re.search(r"[a-zäöü]e[nrsm]?$", before)
        next_noun = number + 1 < len(words) and words[number + 1][:1].isupper()
        joined = before in {"und", "aber", "sich", "jedoch"} and not _ATTRIBUTE.match(word)
        adjective = next_noun and (attribute or not before) and not joined
        verb_place = before[:1].isupper() or joined
        if past and not adjective and not _is_participle(word) and verb_place:
            return True
    return False


_ATTRIBUTE = re.compile(
    r"(?:ge\w+te|ver\w+te|\w+ierte|rote|breite|alte|gute|erste|zweite|dritte|letzte|harte|weite|"
    r"bunte|leichte|direkte|private|bekannte|bestimmte|konstante|relevante)n?$"
)


def _is_participle(word: str) -> bool:
    return re.match(r"(?:ge|ver|be|ent|er|zer)[a-zäöüß]+en$", word) is not None
