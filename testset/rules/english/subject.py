"""The subject of an English clause: whether it is one, names something, and reads in a question."""

import re

from testset.corpus.lexicon import Lexicon
from testset.rules.english.finite import LONGEST_SUBJECT
from testset.rules.english.phrase import stands_alone
from testset.rules.english.vague import is_vague_head, points_back

__all__ = ["inside", "is_generic", "is_lone", "is_named", "is_resolved", "is_subject", "is_told_by"]

_NOT_IN_SUBJECT = re.compile(
    r"[,;:()\[\]\"“”‘*/=<>{}|`$%@#\\]|\s[–—-]|[–—-]\s|\b(?:or|that|to|with|by|from|not|as|than|some|"
    r"many|most|several|few|all|"
    r"no|part|there|any|every|only|what|how|after|before|during|until|since|under|over|"
    r"like|into|between|among|through|around|near|despite|upon|without|within|along|use|used|"
    r"being|having|nowadays|even|perhaps|maybe|please|just|almost|e\.g|i\.e|and/or)\b"
    r"|\b(?:and|on|at|for|about)\b(?! [A-Z])|\bin (?:particular|general|fact|turn|practice|case)\b",
    re.IGNORECASE,
)
_NO_START = re.compile(
    r"(?:Fellow|Former|Others|Similar|Further|Another|Additional|Later|Earlier|In|At|On|By|"
    r"Of|For|To|As|With|From|North|South|East|West|Much|Unlike|Following|According|About|"
    r"Despite|Like|Only|Each|Every|Both|Another|Once|Because|Since|If|When|While|After|Before|"
    r"Whilst|Until|Early|Late|First|Second|Third|Next|Last|Even|Everyone|Everybody|Someone|"
    r"Somebody|Nobody|Anyone|Anybody|Nothing|Everything|Something|Anything|Yes|No|Not|Please|Also|"
    r"See|Note|Just|More|Less|Fewer|Several|Various|Numerous|Half|Hundreds|Thousands|Millions|"
    r"Dozens|Zero|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Eleven|Twelve|Thirteen|"
    r"[A-Z][a-z]+(?:teen|ty)(?= [a-z])|Your|Our|My|Let|Who|Which|Whose|Why|Where|Whether|Whatever|"
    r"Whenever|Wherever|Here|There|Ltd|Inc|Co|Corp|So|Too|Very|Today|Yesterday|Tomorrow|Again|Anyway|Perhaps|Maybe|Well|But|"
    r"And|Or|Nor|Yet|Still|Then|Thus|Hence|Additionally|Instead|Other|Certain|Given)\b|\W|\d"
)
_ARTICLE = re.compile(r"(?:The|A|An|the|a|an)\b")
_GERUND = re.compile(r"[A-Z][a-z]{2,}ing [a-z]")
_NAME_IN = re.compile(r"[A-Z]|[a-z-]\d|\d[a-z]")
_TOLD_OF_WHAT = re.compile(r" of (?!the\b|this\b|that\b)[a-z]")
_DEGREE = re.compile(r"\b(?:[a-z]{3,}est|most [a-z]+)\b")
_TERM = 9
"""Letters from which a single word is a term rather than an everyday word."""
_TITLECASE = re.compile(r"[A-Z][a-z’'-]*$")


def is_subject(subject: str) -> bool:
    """Return whether words before a verb are a subject that a question can be asked about.

    It points at nothing said before, counts nothing, and is no deed ("Buying a hen").

    Example:
        >>> is_subject("The Ely Bridge"), is_subject("Two bridges"), is_subject("Buying a hen")
        (True, False, False)
    """
    words = subject.split()
    if not words or len(words) > LONGEST_SUBJECT or _NO_START.match(subject):
        return False
    if words[0].endswith("ed") or subject in {"The", "A", "An"} or _GERUND.match(subject):
        return False
    if re.fullmatch(r"[a-z]+ly", words[-1]) or words[-1] in {"of", "once", "the", "and"}:
        return False
    if re.search(r"\b(?:his|her|its|their)\b", subject, re.IGNORECASE):
        return False
    if not stands_alone(subject) or _NOT_IN_SUBJECT.search(subject.replace("'s", "")):
        return False
    return _is_one_phrase(subject)


def _is_one_phrase(subject: str) -> bool:
    """Return whether no second noun phrase follows the first without a word that joins them."""
    return re.search(r"(?<! of)(?<! in)(?<! and)(?<! on)(?<! at)(?<! for) (?:the|a|an) [a-z]",
                     subject[1:]) is None  # fmt: skip


def is_resolved(subject: str, lexicon: Lexicon) -> bool:
    """Return whether a subject is understood where only the question is read.

    Where the article says that the reader knows which one is meant, it must hold a name or say
    of what.

    Example:
        >>> [is_resolved(s, Lexicon()) for s in ("The Ely Bridge", "The typical case", "The pump")]
        [True, False, False]
    """
    phrase = _ARTICLE.sub("", subject, count=1).strip()
    head = re.split(r" (?:of|in|for|on|at) ", phrase)[0].split()
    if not head:
        return False
    named = _NAME_IN.search(phrase[1:] if _ARTICLE.match(subject) is None else phrase) is not None
    if not named and re.search(r"\d", phrase):
        return False
    named = named or (_ARTICLE.match(subject) is None and lexicon.is_name(phrase.split()[0]))
    if not named and is_vague_head(head[-1]):
        return False
    if _ARTICLE.match(subject) is None:
        return named or not points_back(subject.lower())
    if points_back(" ".join(head)) and not named:
        return False
    if subject[:2] in {"A ", "An"} or named:
        return True
    return bool(_TOLD_OF_WHAT.search(phrase) or _DEGREE.search(phrase))


def is_lone(subject: str) -> bool:
    """Return whether an article and a name of one thing make up the subject: "The Ely Hall".

    A verb in the plural behind it is a slip, which a question would repeat.
    """
    return re.fullmatch(r"The (?:[A-Z][\w'’-]* )*[A-Z][\w'’-]*[^s\W]", subject) is not None


def is_told_by(subject: str, rest: str) -> bool:
    """Return whether what is said holds a name that tells which one a subject means.

    Example:
        >>> is_told_by("The guild", "bought the Ely Bridge"), is_told_by("The guild", "met in Ely")
        (True, False)
    """
    words = subject.split()
    if words[0] != "The" or is_vague_head(words[-1]) or points_back(subject.lower()):
        return False
    return re.search(r"[A-Z][\w'’-]+ (?:of |and )?[A-Z][\w'’-]+", rest) is not None


def is_named(subject: str, lexicon: Lexicon) -> bool:
    """Return whether a proper name stands in the subject."""
    words = [re.sub(r"['’]s$", "", word) for word in subject.split()]
    inner = words[1:] if words[0] in {"The", "A", "An"} else words
    if any(word[:1].isupper() for word in inner[1:]):
        return True
    return bool(inner) and lexicon.is_name(inner[0])


def is_generic(subject: str, *, present: bool) -> bool:
    """Return whether the subject is a kind of thing in general: in the present, of few words."""
    if not present:
        return False
    if subject.startswith("The "):
        return len(subject.split()) > 2
    if " " not in subject:
        return len(subject) >= _TERM and not is_vague_head(subject) and not subject.endswith("ing")
    return subject[:2] in {"A ", "An"} or len(subject.split()) <= 4


def inside(subject: str, lexicon: Lexicon, text: str) -> str | None:
    """Return the subject as it reads inside a sentence, or `None` if that cannot be told.

    Only an article, or a word that the documents write small elsewhere, loses its capital; an
    acronym or a name in camel case never does.

    Args:
        subject: The words at the start of the sentence.
        lexicon: What the documents tell about their words.
        text: The document, which settles what a word is that is written both ways.
    """
    first, *others = subject.split()
    if first in {"The", "A", "An"}:
        lone = len(others) == 1 and _TITLECASE.match(others[0])
        if first == "The" and lone and others[0].lower() in lexicon.common:
            return None
        return first.lower() + subject[len(first) :]
    bare = re.sub(r"['’]s?$", "", first)
    if not _TITLECASE.match(bare) or first != bare or (others and others[0][:1].isupper()):
        return subject
    small = bare.lower() + subject[len(first) :]
    seen_small = bare.lower() in lexicon.common
    seen_as_name = bare in lexicon.names
    if seen_small == seen_as_name:
        return _as_written(subject, small, text, plural=bare.endswith("s") and bool(others))
    return small if seen_small else subject


def _as_written(subject: str, small: str, text: str, *, plural: bool) -> str | None:
    """Return the way that the document writes the subject's first words inside a sentence."""
    lead = " ".join(small.split()[:2])
    capital = lead[:1].upper() + lead[1:]
    large = len(re.findall(rf"(?<=[a-z,;] ){re.escape(capital)}\b", text))
    little = len(re.findall(rf"(?<![\w'’-]){re.escape(lead)}\b", text))
    if large or little:
        return subject if large > little else small
    if plural:
        return small
    return None if len(small.split()) > 1 else subject
