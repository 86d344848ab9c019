"""What German rules ask, one sentence a rule; and what they leave alone."""

# ruff: noqa: E501  # one case a line
import pytest

from testset import SourceDocument
from testset.corpus.passages import passages_of
from testset.rules import german
from testset.rules.german.clauses import clauses_of
from testset.rules.german.closed_classes import points_elsewhere
from testset.rules.passage_candidate import Candidate


def candidates(text: str) -> list[Candidate]:
    passages = passages_of(SourceDocument("d.txt", text))
    return [candidate for passage in passages for candidate in german.questions(passage)]


def asked(text: str) -> dict[str, str]:
    return {candidate.question: candidate.answer for candidate in candidates(text)}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("Im Jahr 1186 wurde Temujin zum Khan der Mongolen gewählt.", "In welchem Jahr wurde Temujin zum Khan der Mongolen gewählt?", "1186"),
        ("1951 gründete Nora Quill die Schule in Ely.", "Wer gründete 1951 die Schule in Ely?", "Nora Quill"),
        ("1951 gründete Nora Quill die Schule in Ely.", "Was gründete Nora Quill 1951?", "die Schule in Ely"),
        ("Am 3. Mai 1951 eröffnete der Bürgermeister von Ely eine neue Halle.", "Wann eröffnete der Bürgermeister von Ely eine neue Halle?", "3. Mai 1951"),
        ("Seit 1951 tritt der Chor von Ely jeden Sommer auf.", "Seit wann tritt der Chor von Ely jeden Sommer auf?", "seit 1951"),
        ("Die Fahrt nach Ely dauert drei Stunden.", "Wie lange dauert die Fahrt nach Ely?", "drei Stunden"),
        ("Nora Quill und Jan Holm gründeten 1951 die Schule in Ely.", "Wer gründete 1951 die Schule in Ely?", "Nora Quill und Jan Holm"),
        ("Am Ufer der Ouse in Cambridgeshire baute die Gilde von Ely eine Mühle.", "Wo baute die Gilde von Ely eine Mühle?", "Am Ufer der Ouse in Cambridgeshire"),
        ("Die Mühle von Ely wurde von Nora Quill entworfen.", "Von wem wurde die Mühle von Ely entworfen?", "Nora Quill"),
        ("Der Architekt Jan Holm baute 1951 die Brücke in Ely.", "Welcher Architekt baute 1951 die Brücke in Ely?", "der Architekt Jan Holm"),
        ("Das Museum von Ely zeigt seit 1951 Bilder aus Lynn.", "Welches Museum zeigt seit 1951 Bilder aus Lynn?", "das Museum von Ely"),
        ("Der Regler VT-240 hat vier Zonen.", "Wie viele Zonen hat der Regler VT-240?", "vier Zonen"),
        ("Über 60 % der Bäume in Lynn wurden im Winter gefällt.", "Wie viel Prozent der Bäume in Lynn wurden im Winter gefällt?", "Über 60 %"),
        ("Zwölf Mühlen in Ely wurden nach dem Brand von Ely Hall abgerissen.", "Wie viele Mühlen in Ely wurden nach dem Brand von Ely Hall abgerissen?", "Zwölf Mühlen"),
        ("Vor dem Bau der Brücke in Ely wurden zwölf alte Mühlen abgerissen.", "Wie viele alte Mühlen wurden vor dem Bau der Brücke in Ely abgerissen?", "zwölf alte Mühlen"),
        ("In Ely gibt es zwölf Mühlen, und der Wind dreht sie das ganze Jahr.", "Wie viele Mühlen gibt es in Ely?", "zwölf Mühlen"),
        ("Der Turm von Ely ist 66 Meter hoch.", "Wie hoch ist der Turm von Ely?", "66 Meter"),
        ("Eine Mühle ist eine Maschine, die Korn zu Mehl verarbeitet.", "Was ist eine Mühle?", "eine Maschine, die Korn zu Mehl verarbeitet"),
        ("Ely Hall ist ein Konzerthaus am Ufer der Ouse.", "Was ist Ely Hall?", "ein Konzerthaus am Ufer der Ouse"),
        ("Nora Quill war eine Dichterin aus den Fens.", "Wer war Nora Quill?", "eine Dichterin aus den Fens"),
        ("Ely ist die größte Stadt in Cambridgeshire.", "Was ist die größte Stadt in Cambridgeshire?", "Ely"),
        ("Turmfalken sind kleine Greifvögel, die auf Türmen brüten.", "Was sind Turmfalken?", "kleine Greifvögel, die auf Türmen brüten"),
        ("Das Marschland von Ely wird auch Fens genannt.", "Wie wird das Marschland von Ely genannt?", "Fens"),
        ("Die Abkürzung VT steht für Ventiltechnik.", "Wofür steht die Abkürzung VT?", "für Ventiltechnik"),
        ("Aufgrund der Kälte platzte das große Rohr in Lynn.", "Warum platzte das große Rohr in Lynn?", "Aufgrund der Kälte"),
        ("Die Brücke in Ely wurde geschlossen, weil sie baufällig war.", "Warum wurde die Brücke in Ely geschlossen?", "weil sie baufällig war"),
        ("Die Pumpe VT-240 wurde entwickelt, um das Marschland zu entwässern.", "Wozu wurde die Pumpe VT-240 entwickelt?", "um das Marschland zu entwässern"),
        ("Der Regler VT-240 schützt die Pumpe P7, indem er den Druck begrenzt.", "Wie schützt der Regler VT-240 die Pumpe P7?", "indem er den Druck begrenzt"),
        ("Der Regler VT-240 schaltet ab, wenn der Druck zu hoch wird.", "Wann schaltet der Regler VT-240 ab?", "wenn der Druck zu hoch wird"),
        ("Da der Fluss in Ely jeden Winter gefriert, ruht die Schifffahrt in Ely bis März.", "Warum ruht die Schifffahrt in Ely bis März?", "Da der Fluss in Ely jeden Winter gefriert"),
        ("Die Pumpe VT-240 wird durch einen kleinen Motor angetrieben.", "Wodurch wird die Pumpe VT-240 angetrieben?", "durch einen kleinen Motor"),
        ("Das alte Rathaus von Ely liegt am Ufer der Ouse in Cambridgeshire.", "Wo liegt das alte Rathaus von Ely?", "am Ufer der Ouse in Cambridgeshire"),
        ("Die Dichterin Nora Quill wurde in London geboren.", "Wo wurde die Dichterin Nora Quill geboren?", "in London"),
        ("Die Dichterin Nora Quill zog 1951 nach Lynn zurück.", "Wohin zog die Dichterin Nora Quill 1951 zurück?", "nach Lynn"),
        ("Das Dach von Ely Hall besteht aus schweren Platten aus Schiefer.", "Woraus besteht das Dach von Ely Hall?", "aus schweren Platten aus Schiefer"),
        ("Der Preis von Ely hängt von der Menge des Korns ab.", "Wovon hängt der Preis von Ely ab?", "von der Menge des Korns"),
        ("Nora Quill wurde 1951 zur Leiterin der Gilde ernannt.", "Wozu wurde Nora Quill 1951 ernannt?", "zur Leiterin der Gilde"),
        ("Zu den Nachbarn der Stadt Ely gehören Lynn, Soham und Littleport.", "Was gehört zu den Nachbarn der Stadt Ely?", "Lynn, Soham und Littleport"),
        ("Das Ventil VT-240 ermöglicht den Austausch einzelner Platten.", "Was ermöglicht das Ventil VT-240?", "den Austausch einzelner Platten"),
        ("Nora Quill behauptete, dass die Fens bald austrocknen.", "Was behauptete Nora Quill?", "dass die Fens bald austrocknen"),
        ("Im Jahr 1817 wurde die Mühle von Ely durch Nora Quill an die Gilde von Lynn verkauft.", "In welchem Jahr wurde die Mühle von Ely durch Nora Quill an die Gilde von Lynn verkauft?", "1817"),
    ],
)  # fmt: skip
def test_a_sentence_becomes_a_question(text, question, answer):
    assert asked(text).get(question) == answer


@pytest.mark.parametrize(
    "text",
    [
        # words that point at something said before
        "Diese Brücke in Ely wurde 1951 von Nora Quill gebaut.",
        "Eine weitere Brücke in Ely wurde 1951 von Nora Quill gebaut.",
        "Später schrieb Nora Quill dort das erste Lehrbuch über Mühlen.",
        "Sie gründete 1951 die Schule in Ely.",
        "Im selben Jahr wurde Nora Quill in Ely zur Leiterin der Gilde ernannt.",
        "Der letztere Regler VT-240 hat vier Zonen.",
        # nothing says which one is meant
        "Das Museum wurde 1951 eröffnet.",
        "Die Brücke wurde geschlossen, weil sie baufällig war.",
        "Die Stadt hat zwei Brücken.",
        # an adverb is no subject
        "Häufig ist ein Regler mit vier Zonen in Ely im Einsatz.",
        "Hierdurch wird der Schaden an der Pumpe in Ely begrenzt.",
        # an answer that says nothing
        "Ely Hall ist ein sehr nützliches Gebäude.",
        "Ely Hall ist ein Beispiel für gutes Bauen.",
        "Die Pumpe VT-240 wurde entwickelt, um diese Probleme zu lösen.",
        "Ely Hall ist eine Erweiterung dieser Idee.",
        # the verb wants what the comma parts from it
        "Die Gilde von Ely beschloss, 1951 eine Mühle zu bauen.",
        # the object stands in front
        "Die Mühlen von Ely baute die Gilde.",
    ],
)
def test_a_sentence_that_cannot_stand_alone_is_not_asked_about(text):
    assert asked(text) == {}


def test_only_the_first_of_two_participles_is_asked_about():
    found = asked("Die Schleuse in Ely wurde 1951 gebaut und 1960 erweitert.")
    assert found == {"In welchem Jahr wurde die Schleuse in Ely gebaut?": "1951"}


def test_a_list_that_goes_on_behind_a_relative_clause_is_answered_whole():
    found = asked("Der Hof von Ely besteht aus einer Mühle, die Korn mahlt, und einem Stall.")
    assert found == {
        "Woraus besteht der Hof von Ely?": "aus einer Mühle, die Korn mahlt, und einem Stall"
    }


def test_a_clause_that_goes_on_behind_an_insertion_is_not_asked_about():
    assert asked("Im Jahre 1237 begann Jan Holm, ein Enkel von Nora Quill, seine Lehre.") == {
        "Wer war Jan Holm?": "ein Enkel von Nora Quill"
    }


def test_an_indefinite_answer_keeps_its_relative_clause():
    found = asked("Die Gilde von Ely besitzt eine Mühle, die nachts mahlt.")
    assert found == {"Was besitzt die Gilde von Ely?": "eine Mühle, die nachts mahlt"}


def test_who_did_it_is_not_what_did_it():
    assert "Von wem wurde Ely Hall 1951 beschädigt?" not in asked(
        "Ely Hall wurde 1951 von dem Hurrikan Dora beschädigt."
    )


def test_adverbs_that_join_sentences_are_left_out():
    found = asked("Die Mühle von Ely wurde jedoch 1951 von Nora Quill entworfen.")
    assert found["Von wem wurde die Mühle von Ely 1951 entworfen?"] == "Nora Quill"


def test_a_noun_nobody_knows_costs_quality():
    (named,) = candidates("Am 3. Mai 1951 eröffnete der Bürgermeister von Ely eine Ausstellung.")
    (loose,) = candidates("Am 3. Mai 1951 eröffnete der Bürgermeister von Ely die Ausstellung.")
    assert named.quality - loose.quality == pytest.approx(0.06)


def test_the_evidence_is_the_sentence():
    text = "Der Wind war stark. Der Regler VT-240 hat vier Zonen."
    (found,) = candidates(text)
    assert text[found.start : found.end] == "Der Regler VT-240 hat vier Zonen."


def test_every_question_ends_as_one_and_names_its_rule():
    text = "1951 gründete Nora Quill die Schule in Ely. Der Turm von Ely ist 66 Meter hoch."
    found = candidates(text)
    assert {entry.rule for entry in found} == {
        "german.doer",
        "german.measure",
        "german.object",
        "german.time",
    }
    assert all(entry.question.endswith("?") for entry in found)


def test_two_clauses_of_a_sentence_are_read_apart():
    (passage,) = passages_of(
        SourceDocument("d.txt", "Nora Quill baute Mühlen, aber Jan Holm baute die Brücke in Ely.")
    )
    assert [(clause.front, clause.verb, clause.rest) for clause in clauses_of(passage)] == [
        ("Nora Quill", "baute", "Mühlen"),
        ("Jan Holm", "baute", "die Brücke in Ely"),
    ]


@pytest.mark.parametrize(
    "phrase", ["dieser Turm", "danach", "eine größere Halle", "damit", "ihm", "derselbe Turm"]
)
def test_pointing_words_are_known(phrase):
    assert points_elsewhere(phrase)


@pytest.mark.parametrize("phrase", ["der Turm von Ely", "größer als Ely", "gibt es Mühlen"])
def test_other_words_do_not_point(phrase):
    assert not points_elsewhere(phrase)


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("Nora Quill schrieb Gedichte. 1951 zog sie nach Lynn zurück.", "Wohin zog Nora Quill 1951 zurück?", "nach Lynn"),
        ("Der Dichter Jan Holm lebte allein. Er gründete 1951 die Schule in Ely.", "Welcher Dichter gründete 1951 die Schule in Ely?", "der Dichter Jan Holm"),
        ("Die Gilde von Ely ist eine alte Gilde. Sie erhielt 1951 den Preis von Lynn.", "In welchem Jahr erhielt die Gilde von Ely den Preis von Lynn?", "1951"),
        ("Nora Quill schrieb Gedichte. Ihre Mühle wurde 1951 in Lynn abgerissen.", "In welchem Jahr wurde Nora Quills Mühle in Lynn abgerissen?", "1951"),
    ],
)  # fmt: skip
def test_a_pronoun_is_read_as_the_name_before_it(text, question, answer):
    (found,) = [entry for entry in candidates(text) if entry.question == question]
    assert (found.answer, found.start, found.end) == (answer, 0, len(text))


@pytest.mark.parametrize(
    "text",
    [
        # the machine may be meant
        "Nora Quill baute eine Mühle. Sie wurde 1951 in Lynn abgerissen.",
        # an article of another gender
        "Der Turm von Ely ist ein alter Turm. Sie wurde 1951 in Lynn abgerissen.",
        # one name, several things
        "Der Turm von Ely ist ein alter Turm. Sie wurden 1951 in Lynn abgerissen.",
        # a paragraph lies between
        "Der Turm von Ely ist ein alter Turm.\n\nEr wurde 1951 in Lynn abgerissen.",
    ],
)
def test_a_pronoun_that_may_stand_for_something_else_is_not_read(text):
    assert not [question for question in asked(text) if "1951" in asked(text)[question]]


def test_a_second_verb_has_the_same_subject():
    found = asked(
        "Ely Hall wurde 1951 in Lynn eröffnet und war die größte Halle in Cambridgeshire."
    )
    assert found["Was war die größte Halle in Cambridgeshire?"] == "Ely Hall"


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("Die Dichterin Nora Quill (1901–1977) schrieb Gedichte.", "Wann lebte Nora Quill?", "1901–1977"),
        ("Die Schule der Lynn Bridge Society (LBS) ist alt.", "Wofür steht die Abkürzung LBS?", "Lynn Bridge Society"),
        ("1951 kam Jan Holm, ein Enkel von Nora Quill, nach Ely.", "Wer war Jan Holm?", "ein Enkel von Nora Quill"),
        ("Die Ely Hall ist eine Halle am Ufer der Ouse in Cambridgeshire und Lynn Bay.", "Wie heißt die Halle am Ufer der Ouse in Cambridgeshire und Lynn Bay?", "Ely Hall"),
        ("Der erste Bürgermeister von Ely war Jan Holm.", "Wer war der erste Bürgermeister von Ely?", "Jan Holm"),
        ("Die älteste Siedlung in Cambridgeshire war Ely Hall.", "Wie hieß die älteste Siedlung in Cambridgeshire?", "Ely Hall"),
        ("Nora Quill wurde 1951 zur Leiterin der Gilde von Ely gewählt.", "Wer wurde 1951 zur Leiterin der Gilde von Ely gewählt?", "Nora Quill"),
        ("Die Wahlen in Ely finden alle drei Jahre statt.", "Wie oft finden die Wahlen in Ely statt?", "alle drei Jahre"),
        ("Jan Holm belagerte Ely Hall drei Jahre lang.", "Wie lange belagerte Jan Holm Ely Hall?", "drei Jahre lang"),
        ("Das Ely College nahm im Sommer 12 % der Bewerber.", "Wie viel Prozent der Bewerber nahm das Ely College im Sommer?", "12 %"),
        ("Das Ely College hat das alte Abkommen über den Schutz der Mühlen unterzeichnet.", "Was hat das Ely College unterzeichnet?", "das alte Abkommen über den Schutz der Mühlen"),
        ("Die Gilde von Ely besitzt über 70 Mühlen: Lynn, Soham und Littleport.", "Wie viele Mühlen besitzt die Gilde von Ely?", "über 70 Mühlen"),
        ("Die Straße L7 führt nach Osten in die Stadt Lynn.", "Wohin führt die Straße L7?", "nach Osten in die Stadt Lynn"),
    ],
)  # fmt: skip
def test_more_of_a_sentence_is_asked_about(text, question, answer):
    assert asked(text).get(question) == answer


@pytest.mark.parametrize(
    "text",
    [
        # a definite noun that only the document resolves
        "Am 3. Mai 1951 malte Nora Quill ein Bild von Ely an den alten Standort.",
        # an answer that says nothing
        "Die Pumpe VT-240 eignet sich für die meisten Situationen.",
        "Ely Hall ist ein in Lynn immer wiederkehrendes Problem.",
        "Inetd ist ein Server der Server.",
        "Die Pumpe VT-240 umfasst zahlreiche Arbeitsgänge.",
        "Die Gilde von Ely bietet ein Programm an.",
        "Die Pumpe VT-240 wurde entwickelt, um ein in Lynn wiederkehrendes Problem zu lösen.",
        # another subject than that of the question
        "Der Filter VT-240 scheitert, wenn sie auf Mühlen angewendet werden.",
    ],
)
def test_weak_questions_are_not_asked(text):
    assert asked(text) == {}


def test_nobody_is_asked_about_a_thing_that_only_its_document_knows():
    assert list(asked("1951 baute Nora Quill eine Treppe für das Museum.")) == [
        "Was baute Nora Quill 1951?"
    ]
