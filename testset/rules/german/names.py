"""German names: what in a phrase tells which one of its kind is meant.

German writes every noun with a capital, so a capital alone says nothing. Names are told by their
form (codes, two capitals in a row), by closed lists of places, and by how the document uses them.
"""

import re
from functools import lru_cache

from testset.rules.german.words import listed

__all__ = ["NATIONAL", "is_place", "names_in", "only_names"]

_PLACES = listed(
    "Afghanistan Afrika Ägypten Albanien Algerien Amerika Andorra Angola Antarktis Argentinien "
    "Armenien Aserbaidschan Asien Äthiopien Australien Bahrain Bangladesch Bayern Belarus Belgien "
    "Belize Benin Berlin Bern Bhutan Bolivien Bosnien Botswana Brandenburg Brasilien Bremen "
    "Brüssel Bulgarien Burgund Burundi Chile China Dänemark Deutschland Dresden Dublin Ecuador "
    "England Eritrea Estland Europa Finnland Frankfurt Frankreich Gabun Gambia Genf Georgien Ghana "
    "Griechenland Großbritannien Guatemala Guinea Haiti Hamburg Hannover Hessen Honduras Indien "
    "Indonesien Irak Iran Irland Island Israel Istanbul Italien Jamaika Japan Jerusalem Jordanien "
    "Kairo Kalifornien Kambodscha Kamerun Kanada Kasachstan Katar Kenia Kolumbien Kongo Kopenhagen "
    "Korea Kosovo Kroatien Kuba Kuwait Laos Leipzig Lettland Libanon Liberia Libyen Liechtenstein "
    "Lissabon Litauen London Luxemburg Madagaskar Madrid Mailand Mali Malta Marokko Mauretanien "
    "Mexiko Moldau Monaco Mongolei Montenegro Moskau Mosambik München Namibia Nepal Neuseeland "
    "Nicaragua Niederlande Niger Nigeria Nordamerika Nordirland Norwegen Oman Oslo Österreich "
    "Ozeanien Pakistan Palästina Panama Paraguay Paris Peking Persien Peru Philippinen Polen "
    "Portugal Prag Preußen Rom Ruanda Rumänien Russland Sachsen Sambia Saudi-Arabien Schottland "
    "Schweden Schweiz Senegal Serbien Sibirien Simbabwe Singapur Skandinavien Slowakei Slowenien "
    "Somalia Sowjetunion Spanien Stockholm Stuttgart Südafrika Südamerika Südkorea Nordkorea Sudan "
    "Syrien Taiwan Tansania Texas Thailand Thüringen Tibet Tokio Tschad Tschechien Tunesien "
    "Türkei USA Uganda Ukraine Ungarn Uruguay Usbekistan Venedig Venezuela Vietnam Wales Warschau "
    "Washington Westfalen Wien Zürich Zypern Köln Rhein Donau Elbe Nil Themse Wolga Mittelmeer "
    "Nordsee Ostsee Atlantik Pazifik Alpen Anden Himalaya Balkan Arktis Mittelamerika Westeuropa "
    "Osteuropa Nordeuropa Südeuropa Mitteleuropa Zentralasien Südostasien Ostasien Nordafrika "
    "Westafrika Ostafrika Sahara Florida New"
)
_NATIONS = (
    "afrikan ägypt amerikan arab argentin asiat austral babylon bayer belg brasilian brit bulgar "
    "byzantin chines dän deutsch engl europä finn flandr französ german griech holländ ind "
    "indones iran ir isländ israel italien japan jüd kanad karibi kenian keltisch korean kroat "
    "latein liban lutheran maurisch mexikan mongol niederländ nordir norweg osman österreich "
    "pakistan palästinens pers peruan poln portugies preuß röm rumän russ sächs schott schwed "
    "schweizer serb slaw sowjet span südafrikan syr thailänd tibet tschech tunes türk ukrain ungar "
    "venezian vietnames walis zypr kaliforn texan"
)
NATIONAL = re.compile(
    rf"\b(?:[a-zäöü]+-)?(?:US-)?(?:{'|'.join(_NATIONS.split())})(?:isch|sch)?(?:e[mnrs]?)?\b"
)
"""Adjectives of nations: "das schottische Parlament" needs no more to be known."""
_CODE = re.compile(r"(?:[A-ZÄÖÜ]{2,}[\w.-]*|[A-Z][a-z]+[A-Z]\w*|\w+[-.]?\d[\w.-]*|[a-z]+[A-Z]\w+)$")
_YEAR_OR_COUNT = re.compile(r"[\d.,]+%?$")
_HYPHENED = re.compile(r"[A-ZÄÖÜ][\wäöüß]+-[A-ZÄÖÜ][\wäöüß-]+$")
_NO_PART = listed(
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember Ende "
    "Anfang Mitte Prozent Million Millionen Milliarde Milliarden Meter Kilometer Tonnen Jahre "
    "Jahren Jahr Der Die Das Ein Eine Einer Uhr Grad Euro Dollar Liter Gramm Kilogramm"
)
_COMMON_ENDING = re.compile(
    r"(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|tion|tionen|tät|täten|ismus|nis|nisse|"
    r"nissen|tum|chen|enz|enzen|anz|ment|mente|ierung|barkeit|ern|eln|ionen|oren|ung(?:s\w+)|"
    r"zeug|werk|stoff|stoffe|mittel|weise|welle|wesen|gang|druck|kraft|recht|rechte|zahl|en)$"
)
_LINKS = listed("von van de der den des und du la le di da del zu am of the")
_WORD = re.compile(r"[\wäöüßÄÖÜ.’'-]+")


def names_in(phrase: str, text: str) -> int:
    """Return how many names a phrase holds, read beside the text it comes from.

    Example:
        >>> names_in("die Brücke in Ely", "Die Brücke in Ely ist alt."), names_in("die Brücke", "")
        (1, 0)
    """
    words = _WORD.findall(phrase)
    found = len(NATIONAL.findall(phrase))
    for number, word in enumerate(words):
        plain = word.rstrip(".'’")
        after = words[number + 1] if number + 1 < len(words) else ""
        before = words[number - 1] if number else ""
        if (
            _by_form(plain)
            or _paired(plain, before, after)
            or (plain[:1].isupper() and _used_as_name(plain, text))
        ):
            found += 1
    return found


def _by_form(word: str) -> bool:
    place = word in _PLACES or (word.endswith("s") and word[:-1] in _PLACES)
    if place or _HYPHENED.match(word):
        return True
    return _CODE.match(word) is not None and _YEAR_OR_COUNT.match(word) is None


def _paired(word: str, before: str, after: str) -> bool:
    """Return whether a word stands beside another capital, as the parts of a name do."""
    if not word[:1].isupper() or word in _NO_PART:
        return False
    return any(near[:1].isupper() and near not in _NO_PART for near in (before, after))


def is_place(word: str, text: str) -> bool:
    """Return whether a word names a place."""
    return word in _PLACES or (
        word not in _STATES
        and _used_as_name(word, text)
        and re.search(rf"\b(?:in|nach|bei|aus) {re.escape(word)}\b", text) is not None
    )


@lru_cache(maxsize=4096)
def _used_as_name(word: str, text: str) -> bool:
    """Return whether a text uses a word without an article or adjective, as a name is used."""
    if _COMMON_ENDING.search(word) or word in _NO_PART or len(word) < 3 or word.isupper():
        return False
    uses = re.findall(rf"(\S+) {re.escape(word)}s?\b", text)
    if any(
        re.fullmatch(
            r"[a-zäöüß]+(?:e|er|es|en|em|as|in)|\d\S*|viele?|zum|zur|am|im|vom|beim"
            r"|[Dd]er|[Dd]ie|[Dd]as|[Ee]ine?",
            use,
        )
        and use not in _BARE
        for use in uses
    ):
        return False
    alone = [use for use in uses if use in _BARE_NAMED]
    return bool(alone)


_BARE = listed(
    "In Aus Bei Nach Von in aus bei nach von durch mit für gegen zwischen über unter neben an"
)
_BARE_NAMED = listed("In Aus Nach Von Bei in aus nach von bei")


_STATES = listed(
    "Gebrauch Betrieb Anspruch Frage Kraft Besitz Bezug Form Höhe Haft Armut Gefahr Kontakt "
    "Konflikt Richtung Teilen Auftrag Angriff Brand Serie Umlauf Rente Ruhestand Wasser Holz Gold "
    "Silber Zusammenarbeit Anlehnung Übereinstimmung Absprache Eile Ruhe Frieden Krieg Streit "
    "Bezug Not Prosa Latein Deutsch Englisch Französisch Italienisch Öl Farbe Stein Bronze Panik "
    "Mode Sicherheit Pension Ordnung Aussicht Betracht Kauf Angst Echtzeit Theorie Praxis Summe "
    "Gang Sicht Beziehung Mitte Sachen Person Folge Führung Acht Stand Rücksicht Anwesenheit "
    "Abwesenheit Umfang Zeiten Phasen Schritten Abständen Gruppen Händen Verdacht Verruf "
    "Kooperation Konkurrenz Reihe Zivil Uniform Hinblick Bälde Kürze Zukunft Vergangenheit"
)
"""Nouns that stand behind "in" without an article and are no places."""


def only_names(phrase: str, text: str) -> bool:
    """Return whether a phrase without an article is a name as a whole.

    Example:
        >>> only_names("Nora Quill", ""), only_names("Alte Brücken", "Es sind alte Brücken.")
        (True, False)
    """
    words = phrase.split()
    if re.search(r"(?:ische?|liche?|ige?|ierte|ere|ste|ale|elle|ive|sche)[nrs]?$", words[0]):
        return False
    if len(words) > 1 and re.search(r"(?:e|er|es|en)$", words[0]) and len(words) == 2:
        attribute = words[0].lower() in text.split()
        if attribute:
            return False
    inner = all(word[:1].isupper() or word in _LINKS or word[:1].isdigit() for word in words)
    return inner and " und " not in phrase and names_in(phrase, text) > 0
