"""German people: who has a role, and what only somebody does."""

import re

from testset.rules.german.words import listed

__all__ = ["ACTS", "is_role"]

_ROLES = re.compile(
    r"(?:schriftsteller|dichter|maler|politiker|künstler|musiker|komponist|erfinder|entdecker|"
    r"forscher|wissenschaftler|physiker|chemiker|biologe|mathematiker|informatiker|ingenieur|"
    r"architekt|arzt|ärztin|lehrer|professor|philosoph|theologe|historiker|journalist|autor|"
    r"regisseur|schauspieler|sänger|tänzer|produzent|unternehmer|gründer|händler|offizier|"
    r"general|admiral|feldherr|soldat|ritter|könig|kaiser|fürst|herzog|graf|prinz|prinzessin|"
    r"papst|bischof|priester|pfarrer|mönch|nonne|minister|präsident|kanzler|gouverneur|senator|"
    r"bürgermeister|richter|anwalt|jurist|diplomat|spieler|trainer|sportler|läufer|fotograf|"
    r"bildhauer|entwickler|programmierer|herrscher|anführer|führer|häuptling|sultan|kalif|"
    r"reformator|missionar|seefahrer|pilot|astronaut|astronom|geologe|psychologe|soziologe|"
    r"ökonom|bankier|verleger|redakteur|moderator|kritiker|sohn|tochter|bruder|schwester|witwe|"
    r"leiter|direktor|verfasser|betreuer|sprecher|trainer|enkel|neffe|schüler|student|nachfolger|vorsitzende)(?:in)?$"
)
_HEAD = re.compile(r"\b[A-ZÄÖÜ][\wäöüß-]+")

ACTS = listed(
    "schrieb gründete entdeckte erfand gewann veröffentlichte baute eroberte besiegte "
    "unterzeichnete leitete entwickelte kaufte verkaufte übernahm entwarf malte komponierte "
    "heiratete ernannte wählte forderte besuchte eröffnete verfasste erhielt regierte kritisierte "
    "unterstützte erklärte verlor führte schuf schloss bewies beschrieb übersetzte stiftete "
    "beauftragte verbot errichtete erbaute produzierte drehte spielte zeigte bezeichnete "
    "vertrat widmete verließ zog erreichte begründete prägte verteidigte zerstörte schlug "
    "startete erwarb patentierte untersuchte formulierte plante befahl verlieh krönte stürzte "
    "nannte hielt gab nahm sandte schickte brachte lehnte verkündete unterrichtete studierte "
    "lehrte moderierte lieferte betrieb betreibt leitet regiert produziert verkauft "
    "veröffentlicht entwickelt besitzt besaß kontrollierte kontrolliert vergab finanzierte "
    "konvertierte reiste floh wanderte starb diente kandidierte sprach argumentierte sang "
    "dirigierte promovierte arbeitete predigte verhaftete tötete ermordete landete kämpfte "
    "marschierte behauptete betonte vermutete spendete präsentierte unternahm kehrte vollendete "
    "genehmigte berichtete überzeugte restaurierte verfolgte belagerte verklagte lud traf"
)
"""Verbs whose subject is somebody, a person or a body of persons."""


def is_role(phrase: str) -> bool:
    """Return whether the first noun of a phrase says what somebody is.

    Example:
        >>> is_role("ein deutscher Dichter aus Ely"), is_role("ein Konzerthaus")
        (True, False)
    """
    head = _HEAD.search(phrase)
    return head is not None and _ROLES.search(head.group().lower()) is not None
