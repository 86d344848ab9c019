"""The main clause of an English sentence: what stands before its finite verb, and after it.

Only sentences whose subject stands for itself are read: it names something, or a kind of thing,
and it is no pronoun. All the question rules start from here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from testset.corpus.passages import Passage, Sentence
from testset.rules.english.antecedent import Told, goes_on, named_again
from testset.rules.english.finite import AUXILIARIES, finite_at, owns
from testset.rules.english.further import joined, told_beside
from testset.rules.english.names import full_name
from testset.rules.english.opening import Opening, opening_of, plain
from testset.rules.english.phrase import stands_alone
from testset.rules.english.subject import (
    inside,
    is_generic,
    is_lone,
    is_named,
    is_resolved,
    is_subject,
    is_told_by,
)
from testset.rules.english.verbs import Verb, verb_of
from testset.rules.passage_candidate import Candidate, Kind

__all__ = ["Clause", "clauses_of"]

_LONGEST = 520
_PLAIN_HAVE = frozenset({"has", "had", "have"})
_HELPED = frozenset({"can be", "had been", "has been", "have been"})
_WORD = re.compile(r"\S+")
_JOINT = re.compile(r"(?:, (?:and|but|while|whereas)|;) (?=[A-Z]|the [A-Z])")
_ADVERB = re.compile(
    r" (?:also|still|then|thereafter|subsequently|eventually|finally|officially|formally|"
    r"initially|originally|later|soon|additionally|famously|successfully)$"
)
_UNREADABLE = re.compile(r"http|\*\*|[©®|<>{}=\\]|\.\.\.|…|``")


@dataclass(frozen=True, slots=True)
class Clause:
    """A main clause.

    Attributes:
        sentence: The sentence it stands in.
        fronted: The date that opens the sentence; empty if none does.
        preposition: What stood before that date.
        subject: The subject, as it reads in the middle of a sentence.
        verb: The finite verb as it stands.
        lexical: Its infinitive and tense, if it is not an auxiliary.
        rest: Everything after the finite verb, without the full stop.
        named: Whether the subject stands for itself: it holds a name, or a kind of thing.
        proper: Whether it holds a name.
        setting: A phrase like "during the war" that opened the sentence.
        written: The subject in the words of the sentence, where `subject` tells a name in full.
    """

    sentence: Sentence
    fronted: str
    preposition: str
    subject: str
    verb: str
    lexical: Verb | None
    rest: str
    named: bool
    proper: bool = False
    setting: str = ""
    written: str = ""

    @property
    def plural(self) -> bool:
        """Whether the verb is in the present and its subject is several."""
        return self.lexical is not None and self.verb == self.lexical.base

    @property
    def present(self) -> bool:
        """Whether the verb tells what holds now."""
        return _is_present(self.verb, self.lexical)

    @property
    def when(self) -> str:
        """The date that opened the sentence, as it reads at the end of a question."""
        return f"{self.preposition.lower()} {self.fronted}" if self.fronted else ""

    @property
    def passive(self) -> tuple[str, str] | None:
        """The form of `be` that a passive has behind its helping verb, and what follows it."""
        if self.verb in {"is", "are", "was", "were"}:
            return "", self.rest
        form, _, rest = self.rest.partition(" ")
        helped = f"{self.verb} {form}" in _HELPED and self.lexical is None
        return (f"{form} ", rest) if helped and rest else None

    def ask(self, opening: str, rest: str) -> str:
        """Return the question that opens with `opening`, its verb before its subject."""
        words: tuple[str, ...]
        if self.lexical is None:
            words = (opening, self.verb, self.subject, rest, self.setting)
        else:
            do = "did" if self.lexical.past else "do" if self.plural else "does"
            words = (opening, do, self.subject, self.lexical.base, rest, self.setting)
        return " ".join(word for word in words if word).strip() + "?"

    def candidate(
        self, question: str, answer: str, *, kind: Kind, rule: str, quality: float
    ) -> Candidate:
        """Return a question with its answer, its evidence the sentence."""
        place = self.sentence.start, self.sentence.end
        return Candidate(question, answer, *place, kind, f"english.{rule}", quality)


@lru_cache(maxsize=4)
def clauses_of(passage: Passage) -> tuple[Clause, ...]:
    """Return the main clause of each sentence that has one that rules can turn around.

    Kept for the passages read last, as every rule reads them.
    """
    return tuple(_clauses(passage))


def _clauses(passage: Passage) -> Iterator[Clause]:
    earlier: list[Told] = []
    for sentence in passage.sentences:
        clause = _clause(sentence, passage)
        if clause is None or not clause.named:
            clause = _resumed(sentence, earlier, passage) or clause
        if clause is not None:
            yield clause
            if clause.named:
                place = clause.sentence.start, sentence.end
                earlier.append(Told(clause.subject, clause.verb, clause.rest, *place))
        elif earlier and goes_on(sentence.text):
            earlier[-1] = earlier[-1]._replace(end=sentence.end)
        yield from _beside(sentence, clause, passage)


def _beside(sentence: Sentence, main: Clause | None, passage: Passage) -> Iterator[Clause]:
    """Yield the clauses of a sentence that stand beside its main one."""
    text = plain(sentence.text)
    if _UNREADABLE.search(text):
        return
    told = [part.rstrip(".") + "." for part in _JOINT.split(text)[1:]]
    told += told_beside(text)
    if main is not None and (second := joined(main.subject, main.verb, main.rest)):
        told.append(second)
    place = main.sentence if main is not None else sentence
    for part in told:
        short = Sentence(part[:1].upper() + part[1:], sentence.start, sentence.end)
        clause = _clause(short, passage)
        if clause is not None and not clause.fronted:
            yield replace(clause, sentence=place)


def _resumed(sentence: Sentence, earlier: Sequence[Told], passage: Passage) -> Clause | None:
    """Return the clause of a sentence about what the sentences before it name.

    The evidence then begins where the name is told.
    """
    again = named_again(plain(sentence.text), sentence.start, earlier)
    if again is None:
        return None
    text, start = again
    clause = _clause(Sentence(text, sentence.start, sentence.end), passage)
    if clause is None or not clause.named:
        return None
    document = passage.document.text
    wider = Sentence(document[start : sentence.end], start, sentence.end)
    return replace(clause, sentence=wider)


def _clause(sentence: Sentence, passage: Passage) -> Clause | None:
    parted = _parted(plain(sentence.text))
    if parted is None:
        return None
    opening, written, verb, rest = parted
    resolved = is_resolved(written, passage.lexicon)
    if not resolved and not is_told_by(written, rest):
        return None
    subject = inside(written, passage.lexicon, passage.document.text)
    where = opening.setting[:1].lower() + opening.setting[1:]
    if subject is None or (where and not stands_alone(where)):
        return None
    full, lexical = full_name(subject, passage.document.text), _lexical(verb, rest)
    if full is None:
        return None
    proper = is_named(written, passage.lexicon) and (" " in subject or subject[:1].isupper())
    return Clause(
        sentence=sentence,
        fronted=opening.date,
        preposition=opening.preposition,
        subject=full,
        verb=verb,
        lexical=lexical,
        rest=rest,
        named=resolved and (proper or is_generic(written, present=_is_present(verb, lexical))),
        proper=proper and resolved,
        setting=where,
        written=subject,
    )


def _parted(text: str) -> tuple[Opening, str, str, str] | None:
    """Return what opens a sentence, its subject, its verb, and the rest; `None` if unsure."""
    if not text.endswith(".") or len(text) > _LONGEST or _UNREADABLE.search(text):
        return None
    opening = opening_of(text)
    if opening is None:
        return None
    words = list(_WORD.finditer(opening.body.rstrip(".")))
    place = finite_at(words)
    if place is None:
        return None
    written, verb = opening.body[: words[place].start()].strip(), words[place].group()
    written = _ADVERB.sub("", written)
    rest = opening.body[words[place].end() :].strip().rstrip(".").strip()
    if re.match(r"(?:and|or)\b", rest) or not is_subject(written):
        return None
    must = verb in _PLAIN_HAVE and rest[:3] == "to " and _lexical(verb, rest) is None
    if must or (verb in {"are", "were"} and is_lone(written)):
        return None
    return opening, written, verb, rest


def _lexical(verb: str, rest: str) -> Verb | None:
    """Return the verb if it is none that only helps another one."""
    if verb in AUXILIARIES and not owns(verb, rest):
        return None
    return verb_of(verb) or Verb(verb, False)


def _is_present(verb: str, lexical: Verb | None) -> bool:
    if lexical is not None:
        return not lexical.past
    return verb in {"is", "are", "has", "have", "can"}
