"""German function words by what they do: point elsewhere, open a clause, carry no fact."""

import re

from testset.rules.german.words import listed

__all__ = [
    "BARE_COMPARATIVE",
    "DETERMINERS",
    "DISCOURSE",
    "POINTING",
    "PREPOSITIONS",
    "RELATIVE",
    "SUBORDINATORS",
    "is_adverbial",
    "points_elsewhere",
]

DETERMINERS = frozenset({"der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem"})
PREPOSITIONS = listed(
    "ab an am ans auf aufs aufgrund aus außer außerhalb bei beim binnen bis dank durch durchs "
    "einschließlich entlang für gegen gegenüber gemäß hinter im in infolge innerhalb ins laut "
    "mangels mit mithilfe mittels nach neben ohne seit statt trotz über um unter vom von vor "
    "während wegen wider zu zum zur zwischen zwecks anhand angesichts anstatt anstelle bezüglich "
    "hinsichtlich mitsamt oberhalb unterhalb ungeachtet zufolge zuzüglich je pro per via"
)
SUBORDINATORS = listed(
    "als bevor bis da damit dass ehe falls indem indes nachdem ob obgleich obschon obwohl seit "
    "seitdem sobald sodass solange sofern soweit sowie während weil wenn wenngleich wie wo "
    "wobei wodurch wofür wogegen wohingegen womit woraus worauf worin worüber wovon wozu was wer "
    "um ohne anstatt statt"
)
"""Words that open a subordinate clause after a comma; relative pronouns are told by their place."""

RELATIVE = re.compile(
    r"(?:(?:in|mit|auf|bei|von|an|aus|für|durch|über|zu|unter|nach|vor|neben|zwischen|gegen) )?"
    r"(?:der|die|das|dem|den|deren|dessen|denen|welche[mnrs]?) "
)
"""How a relative clause begins."""
_POINTERS = (
    r"er|sie|ihm|ihn|ihnen|ihre?[mnrs]?|seine?[mnrs]?|diese[mnrs]?|dies|jene[mnrs]?|"
    r"solch(?:e[mnrs]?)?|de[rmns](?:selben?|jenigen?)|die(?:selben?|jenigen?)|das(?:selbe|jenige)|"
    r"(?:letztere|erstere|obige|folgende|vorige|vorherige|genannte|erwähnte|beschriebene|"
    r"betreffende|jeweilige|entsprechende|weitere|andere|gleiche|selbe|ähnliche|beide|übrige|"
    r"restliche|sonstige|zusätzliche|spätere|frühere|letzte|nächste|nachfolgende|vorangegangene|"
    r"vorhergehende|anschließende|dortige|hiesige|damalige|besagte|einzelne|einige|manche|"
    r"bestimmte|gewisse|eigene|vielfache|vorliegende|resultierende|derartige|zweitere)[mnrs]?|"
    r"anderen?|anders|andernfalls|beides|beider|einander|dergleichen|etwas|alles|einzige[mnrs]?"
)
_ADVERBS = (
    r"dort|dorthin|hier|hierher|damals|daraufhin|danach|dann|zuvor|vorher|nachher|später|früher|"
    r"anschließend|zuletzt|inzwischen|seitdem|seither|bisher|bislang|zunächst|nun|jetzt|derzeit|"
    r"gleichzeitig|zugleich|stattdessen|wiederum|ebenso|genauso|so|derart|soeben|oben|unten|"
    r"demnach|ansonsten|sonst|erneut|vielmehr|insofern|hin|umgekehrt|wann|welche[mnrs]?|"
    r"[Dd]a(?:bei|durch|für|gegen|hin|hinter|mit|nach|neben|ran|rauf|raus|rin|rüber|rum|runter|"
    r"von|vor|zu|zwischen)|[Hh]ier(?:bei|durch|für|mit|nach|von|zu|auf|unter|in)|"
    r"dessen|deren|denen|denselben|man|wir|uns|unser\w*|ich|mich|mir|mein\w*|du|dich|dir|dein\w*|"
    r"euch|euer|eure\w*|Sie|Ihnen|Ihre?\w{0,2}"
)
POINTING = re.compile(rf"\b(?:{_POINTERS}|{_ADVERBS})\b")
"""Words that point at something said elsewhere, or at who reads or writes."""
BARE_COMPARATIVE = re.compile(
    r"\b(?:größer|kleiner|höher|niedriger|tiefer|besser|schlechter|stärker|schwächer|schneller|"
    r"langsamer|länger|kürzer|älter|jünger|neuer|schwerer|leichter|breiter|enger|näher|"
    r"geringer|häufiger|einfacher|mehr|weniger|strenger|reicher|ärmer|wichtiger|genauer)"
    r"(?:e[mnrs]?)?\b(?!.*\bals\b)"
)
"""Comparatives that do not say with what they compare."""
DISCOURSE = re.compile(
    r"(?<!\S)(?:auch|jedoch|allerdings|ebenfalls|ebenso|außerdem|zudem|daher|deshalb|deswegen|"
    r"somit|also|folglich|dennoch|trotzdem|hingegen|dagegen|nämlich|sogar|ferner|überdies|zwar|"
    r"natürlich|beispielsweise|zunächst|"
    r"(?:typischer|normaler|üblicher|glücklicher|praktischer)weise|"
    r"[Ee]rstens|[Zz]weitens|[Dd]rittens|schließlich|bereits|schon|aber|tatsächlich|offensichtlich|"
    r"gleichfalls|indessen|immerhin|letztlich|letztendlich|vermutlich|übrigens|"
    r"mittlerweile|nunmehr|lediglich|anschließend|daraufhin|wiederum|hierbei|hauptsächlich)(?!\S)"
)
"""Adverbs that join a sentence to the text around it; a question is better without them."""

_NO_SUBJECT = listed(
    "als wenn da dass ob obwohl während nachdem bevor sobald damit indem weil falls so nur es dies "
    "diese dieser dieses diesen diesem jene jener jenes was wer wie wo wann warum hier dort dann "
    "danach später heute viele einige mehrere alle manche jede jeder jedes andere anderer anderes "
    "ebenso zwar allerdings ursprünglich insgesamt schließlich einer eines keine keiner kein "
    "ferner beides beide solche weitere anders deshalb seitdem folglich somit dadurch dabei meist "
    "oft bald obgleich daraufhin seine sein ihre ihr sogar dennoch er sie wir ich man sich nicht "
    "auch zudem außerdem zusätzlich zunächst zuerst zuletzt trotzdem jedoch häufig manchmal immer "
    "nie niemals selten stets meistens normalerweise üblicherweise jetzt nun derzeit gegenwärtig "
    "einst einmal früher vorher zuvor bisher gestern morgen daher darum also denn aber und oder "
    "sondern doch erst schon noch fast etwa rund ungefähr knapp mehr weniger wenige etliche "
    "zahlreiche verschiedene sämtliche solch welche welcher welches wobei wodurch zwei drei vier "
    "fünf sechs sieben acht neun zehn elf zwölf hundert tausend beispielsweise insbesondere "
    "vielleicht wahrscheinlich leider natürlich tatsächlich gleichzeitig stattdessen hingegen "
    "dagegen dafür daran darin darauf davon dazu hierbei hierfür letztere letzterer letzteres "
    "erstere ersterer ersteres den dem des ihm ihn ihnen einem einen meine mein unser unsere "
    "ihrer seiner beim vom zum zur ebenfalls sonst andererseits einerseits anfangs anfänglich "
    "bereits wieder erneut kurz lange spät weit viel wenig alles nichts etwas jemand niemand "
    "jegliche jeglicher jegliches intern extern "
    "sowohl weder entweder genauso genau mal erstens zweitens drittens viertens letztens "
    "sobald solange sofern soweit je desto bis ende anfang mitte infolgedessen demzufolge "
    "mithilfe mittels überall nirgends nachts tagsüber inzwischen mittlerweile seither "
    "nördlich südlich östlich westlich unweit nahe "
    "dementsprechend entsprechend abgesehen neben anhand strenggenommen genaugenommen"
)
_ADVERB_ENDING = re.compile(r"(?:weise|lich|mals|falls|dings|seits|halber|wärts|ig|isch|dem|end)$")


def is_adverbial(front: str) -> bool:
    """Return whether what stands before the verb cannot be its subject.

    Example:
        >>> is_adverbial("Im Jahr 1186"), is_adverbial("Häufig"), is_adverbial("Nora Quill")
        (True, True, False)
    """
    words = front.split()
    first = words[0].lower()
    if len(words) == 1 and first.isdigit():
        return True
    if first in PREPOSITIONS or first in _NO_SUBJECT:
        return True
    return len(words) == 1 and _ADVERB_ENDING.search(first) is not None


def points_elsewhere(text: str) -> bool:
    """Return whether a text has a word whose meaning stands outside it.

    Example:
        >>> points_elsewhere("eine weitere Brücke"), points_elsewhere("eine Brücke in Ely")
        (True, False)
    """
    plain = re.sub(r"\b(gibt|gab) es\b", r"\1", text)
    return (
        POINTING.search(plain) is not None
        or BARE_COMPARATIVE.search(plain) is not None
        or re.search(r"\bes\b", plain) is not None
    )
