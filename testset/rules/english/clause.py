"""The main clause of an English sentence: what stands before its finite verb, and after it.

Only sentences whose subject stands for itself are read: it names something (a proper name in it),
and it is no pronoun. All the question rules start from here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from testset.lexicon import Lexicon
from testset.passages import Passage, Sentence
from testset.rules.english.names import is_person
from testset.rules.english.verbs import Verb, verb_of

__all__ = ["AUXILIARIES", "MONTHS", "Clause", "clauses_of", "first_part", "stands_alone"]

AUXILIARIES = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "has",
        "had",
        "have",
        "can",
        "could",
        "will",
        "would",
        "may",
        "must",
        "should",
        "might",
    ]
)
_PLAIN_HAVE = frozenset({"has", "had", "have"})

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_YEAR = r"(?:1[0-9]|20)\d\d"
_PERIOD = (
    r"the (?:early |mid-|late )?(?:\d{4}s|\d{1,2}(?:st|nd|rd|th)(?: and \d{1,2}(?:st|nd|rd|th))? "
    r"centur(?:y|ies))"
)
DATE = (
    rf"(?:(?:\d{{1,2}} (?:{MONTHS})|(?:{MONTHS}) \d{{1,2}},?|(?:{MONTHS}))(?: {_YEAR})?"
    rf"|{_YEAR}(?!s)|{_PERIOD})"
)
FRONTED = re.compile(rf"(?P<prep>In|On|By|Since|Until|During) (?P<date>{DATE}),? (?=\S)")

_DANGLING = re.compile(
    r"\b(?:he|she|it|they|him|them|hers|theirs|this|these|those|such|former|"
    r"latter|here|above|below|following|same|another|other|others|each|both|our|ours|we|us|you|"
    r"your|i|my|me|himself|herself|itself|themselves|one|ones|previous|earlier|later|respectively|"
    r"thus|therefore|however|instead|then|again|so|too|said|aforementioned|former|also|today|"
    r"currently|now|recently|citation|which|who|whom|whose|although|though|because|whereas|if|"
    r"when|while|where|but)\b",
    re.IGNORECASE,
)
_NOT_IN_SUBJECT = re.compile(
    r"[,;:()\[\]\"“”‘]|\b(?:or|that|to|with|by|from|not|as|than|some|many|most|several|few|all|"
    r"no|part|there|any|every|only|what|how|after|before|during|until|since|under|over|"
    r"like|into|between|among|through|around|near|despite|upon|without|within|along|use|used)\b"
    r"|\b(?:and|on|at|for|about)\b(?! [A-Z])",
    re.IGNORECASE,
)
_WORD = re.compile(r"\S+")
LONGEST_SUBJECT = 8
_SURE_PRESENT = frozenset(
    [
        "allow",
        "belong",
        "consist",
        "contain",
        "cost",
        "cover",
        "depend",
        "describe",
        "differ",
        "follow",
        "give",
        "have",
        "hold",
        "include",
        "keep",
        "lie",
        "last",
        "leave",
        "live",
        "maintain",
        "make",
        "measure",
        "need",
        "occur",
        "own",
        "operate",
        "produce",
        "protect",
        "provide",
        "refer",
        "rely",
        "replace",
        "require",
        "send",
        "serve",
        "store",
        "take",
        "use",
        "weigh",
    ]
)
_NOUNS_TOO = frozenset({"cost", "cover", "need", "use", "last", "leave", "measure", "store"})
_JOINT = re.compile(r"(?:, (?:and|but|while|whereas)|;) (?=[A-Z]|the [A-Z])")
_LEADING = re.compile(
    r"^(?:(?:However|Additionally|In addition|Also|Finally|Furthermore|Moreover|Today|Originally|"
    r"Initially|Eventually|Historically|Traditionally|Consequently|Nevertheless|Subsequently|"
    r"Similarly|As a result|For example|For instance|In fact|Later|Then|Therefore|Meanwhile|"
    r"Instead|Unfortunately|Of course|Likewise|Conversely|Hence|Indeed|Specifically)|"
    r"(?:Although|Though|While|After|Before|Since|Following|Despite|"
    r"Because of|Due to|Prior to|According to|Unlike|Along with|Together with|With|Using|"
    r"Based on|Like|As|Unlike|"
    r"Through|Over|For|From|Among) [^,]{5,90}), "
)
_PRONOUN = re.compile(r"^(?:He|She)\b")
_BRACKETS = re.compile(r"\s?\((?!\d{4}\))[^()]{0,80}\)|\[[^\[\]]{0,40}\]")
_SETTING = re.compile(
    r"(?P<setting>(?:In|During|Under|At|Within|Throughout) [\w' -]{3,40}), (?=\S)"
)
_APPOSITION = re.compile(
    r"^(?P<name>(?:The )?[A-Z][\w'’.-]+(?: (?:[A-Z][\w'’.-]+|of|the|on|for))*), [^,;()"
    r"]{4,80},(?= [a-z])"
)
_AND = re.compile(r"\s(?:and|or|but)\s(?:[a-z]+ly\s)?(?P<next>[a-z]+)")
_NO_START = re.compile(
    r"(?:Fellow|Former|Others|Similar|Further|Another|Additional|Later|Earlier|In|At|On|By|"
    r"Of|For|To|As|With|From|North|South|East|West|Much|Unlike|Following|According|"
    r"Despite|Like|Only|Each|Every|Both|Another|Once|Because|Since|If|When|While|After|Before)\b"
)
_THING = re.compile(
    r"(?:a|an|the|about|over|more|some|only|just|two|three|four|five|six|seven|eight|nine|ten|"
    r"twelve|\d)"
)
_BREAK = re.compile(
    r",(?!\d)|[;:()\[\]]|\s[–—-]\s|\s(?:which|who|while|whereas|although|though|because)\s"
)


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
        setting: A phrase like "during the war" that opened the sentence.
    """

    sentence: Sentence
    fronted: str
    preposition: str
    subject: str
    verb: str
    lexical: Verb | None
    rest: str
    named: bool
    setting: str = ""

    @property
    def plural(self) -> bool:
        """Whether the verb is in the present and its subject is several."""
        return self.lexical is not None and self.verb == self.lexical.base

    def ask(self, opening: str, rest: str) -> str:
        """Return the question that opens with `opening`, its verb before its subject."""
        words: tuple[str, ...]
        if self.lexical is None:
            words = (opening, self.verb, self.subject, rest, self.setting)
        else:
            do = "did" if self.lexical.past else "do" if self.plural else "does"
            words = (opening, do, self.subject, self.lexical.base, rest, self.setting)
        return " ".join(word for word in words if word).strip() + "?"


def clauses_of(passage: Passage) -> Iterator[Clause]:
    """Yield the main clause of each sentence that has one that rules can turn around."""
    lexicon = passage.lexicon
    before: Clause | None = None
    for sentence in passage.sentences:
        clause = _clause(sentence, lexicon)
        if clause is None and before is not None:
            clause = _resumed(sentence, before, lexicon)
        if clause is not None:
            yield clause
        for part in _JOINT.split(" ".join(sentence.text.split()))[1:]:
            text = part[:1].upper() + part[1:].rstrip(".") + "."
            coordinate = _clause(Sentence(text, sentence.start, sentence.end), lexicon)
            if coordinate is not None and not coordinate.fronted:
                yield replace(coordinate, sentence=sentence)
        before = clause if clause is not None and is_person(clause.subject) else None


def _resumed(sentence: Sentence, before: Clause, lexicon: Lexicon) -> Clause | None:
    """Return the clause of a sentence about "he" or "she", named by the sentence before it.

    The evidence then begins with that sentence. Only a person who is its subject is meant.
    """
    text, count = _PRONOUN.subn(before.subject, sentence.text, count=1)
    if not count or re.search(r"[A-Z][a-z]+ [A-Z][a-z]+", before.rest):
        return None
    both = Sentence(text, sentence.start, sentence.end)
    clause = _clause(both, lexicon)
    if clause is None or clause.subject != before.subject:
        return None
    wider = Sentence(before.sentence.text, before.sentence.start, sentence.end)
    return replace(clause, sentence=wider)


def _clause(sentence: Sentence, lexicon: Lexicon) -> Clause | None:
    text = re.sub(r"\s+", " ", sentence.text).strip()
    if not text.endswith(".") or len(text) > 400 or "http" in text or "**" in text:
        return None
    text = _BRACKETS.sub("", text).replace(" .", ".")
    text = _LEADING.sub("", text)
    text = text[:1].upper() + text[1:]
    fronted = FRONTED.match(text)
    setting = None if fronted else _SETTING.match(text)
    opening = fronted or setting
    body = text[opening.end() :] if opening else text
    if not opening and re.match(r"[A-Z][a-z]*(?: [a-z]+){0,4},", body):
        return None
    body = _APPOSITION.sub(r"\g<name>", body[:1].upper() + body[1:])
    words = list(_WORD.finditer(body.rstrip(".")))
    place = _finite(words)
    if place is None:
        return None
    subject, verb = body[: words[place].start()].strip(), words[place].group()
    if not _is_subject(subject):
        return None
    named = _named(subject, lexicon)
    rest = body[words[place].end() :].strip().rstrip(".").strip()
    lexical = verb_of(verb) if verb not in AUXILIARIES or _owns(verb, rest) else None
    if lexical is None and verb not in AUXILIARIES:
        lexical = Verb(verb, False)
    if lexical is None and verb in _PLAIN_HAVE and rest.startswith("to "):
        return None
    date, preposition = (fronted["date"].rstrip(","), fronted["prep"]) if fronted else ("", "")
    generic = _is_generic(subject, verb, lexical)
    subject = _inside(subject, lexicon)
    where = lexicon.lowered(setting["setting"]) if setting else ""
    if where and not stands_alone(where):
        return None
    return Clause(
        sentence, date, preposition, subject, verb, lexical, rest, named or generic, where
    )


def _inside(subject: str, lexicon: Lexicon) -> str:
    """Return the subject as it reads inside a sentence; "Engineering News" keeps its capital."""
    words = subject.split()
    if len(words) > 1 and words[0] not in {"The", "A", "An"} and words[1][:1].isupper():
        return subject
    if len(words) > 1 and words[0].lower().removesuffix("s") in lexicon.common:
        return words[0].lower() + subject[len(words[0]) :]
    return lexicon.lowered(subject)


def _owns(verb: str, rest: str) -> bool:
    """Return whether a form of `have` is the main verb: a thing follows, not a participle."""
    return verb in {"has", "had", "have"} and _THING.match(rest) is not None


def _is_generic(subject: str, verb: str, lexical: Verb | None) -> bool:
    """Return whether the subject is a kind of thing in general: no article, present."""
    present = verb in {"is", "are", "has", "have", "can"} or (
        lexical is not None and not lexical.past
    )
    if re.match(
        r"The (?!first|second|third|new|main|other|latter|next|last|only)(?:[a-z-]+ ){2,}",
        subject + " ",
    ):
        return present
    bare = re.match(r"(?:The|His|Her|In|At|By|Of|On|As|For|It|There)\b", subject) is None
    return present and bare and len(subject.split()) <= 4 and not subject.split()[0].endswith("ing")


def _finite(words: list[re.Match[str]]) -> int | None:
    """Return the number of the first finite verb, if it is in reach."""
    for number, word in enumerate(words[: LONGEST_SUBJECT + 1]):
        form = word.group()
        if not number or (number == 1 and words[0].group() in {"The", "A", "An"}):
            continue
        if form in AUXILIARIES or (verb_of(form) and not _noun_like(words, number)):
            return number
        head = words[number - 1].group()
        if form in _SURE_PRESENT and re.search(r"[^su'’]s$", head) and form not in _NOUNS_TOO:
            return number
    return None


def _noun_like(words: list[re.Match[str]], number: int) -> bool:
    """Return whether what looks like a verb is a noun or a participle here."""
    form = words[number].group()
    if number + 1 >= len(words):
        return False
    verb, follower = verb_of(form), words[number + 1].group()
    if verb is not None and not verb.past:
        head = words[number - 1].group()
        if verb.base not in _SURE_PRESENT or (head.endswith("s") and not head.endswith("ss")):
            return True
    return follower in AUXILIARIES or follower in {"of", "by"} or follower.startswith(",")


def _is_subject(subject: str) -> bool:
    words = subject.split()
    if not words or len(words) > LONGEST_SUBJECT or _NO_START.match(subject):
        return False
    if (
        words[0].endswith("ed")
        or subject in {"The", "A", "An"}
        or re.fullmatch(r"[a-z]+ly", words[-1])
        or words[-1] in {"of", "once", "the"}
    ):
        return False
    if re.search(r"\b(?:his|her|its|their)\b", subject, re.IGNORECASE):
        return False
    return not (_DANGLING.search(subject) or _NOT_IN_SUBJECT.search(subject.replace("'s", "")))


def _named(subject: str, lexicon: Lexicon) -> bool:
    words = [re.sub(r"['’]s$", "", word) for word in subject.split()]
    inner = words[1:] if words[0] in {"The", "A", "An"} else words
    if any(word[:1].isupper() for word in inner[1:]):
        return True
    return bool(inner) and lexicon.is_name(inner[0])


def first_part(rest: str) -> str:
    """Return the words up to the first comma, bracket or subordinate clause.

    Example:
        >>> first_part("built in Ely, where it still stands")
        'built in Ely'
    """
    match = _BREAK.search(rest)
    part = rest[: match.start()] if match else rest
    for joint in _AND.finditer(part):
        word = joint["next"]
        if word in AUXILIARIES or verb_of(word) or word.endswith("ed"):
            return part[: joint.start()].strip()
    return part.strip()


def stands_alone(words: str) -> bool:
    """Return whether no word points at something said before.

    Possessives may stand: in a question they point at its own subject.

    Example:
        >>> stands_alone("built in Ely"), stands_alone("built by them")
        (True, False)
    """
    return _DANGLING.search(words) is None and '"' not in words and "“" not in words
