"""Claims: what a text states, in clauses that can be checked one by one."""

import re
from typing import Literal

from llamaindex_rag_eval.judge.rules.answers import answer_forms
from llamaindex_rag_eval.judge.rules.phrases import evades, is_refusal, without_frame
from llamaindex_rag_eval.judge.rules.profile import (
    COMMON_WEIGHT,
    content_share,
    profile_of,
    weight_of_keys,
)
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, terms, words
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of, words_of

_MARKER = re.compile(r"^\s*(?:#{1,6}\s+|[-*+•]\s+|\d{1,3}[.)](?:\s+|$)|>\s+)+")
_CITATION = re.compile(r"\s*\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]")
_EMPHASIS = re.compile(r"\*\*|__|`")
_RULE = re.compile(r"[\s|:=*_-]*(?:https?://\S+)?")
_GREETING = pattern_of("greeting", r"{}(?: there| all| everyone)?[\s,!.。！~]*")
_INTRODUCTION = re.compile(r"[^.!?。！？]{0,160}[:：]$")
_PARENTHESIS = re.compile(r"\s*[(（][^()（）]{0,200}[)）]")
_DETAIL = pattern_of("detail")
_PREFACE = pattern_of("preface", "^{}")
_DOUBT = pattern_of("doubt", "^{}")
_KNOWING = pattern_of("knowing")
_FEWEST_WORDS = 3
"""Words that must be left for a statement of its own."""
_VERB_WITHIN = 5
"""Words among which a statement without "that" has its verb."""
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_VAGUE = 0.7
"""Weight of content up to which a statement says nothing to check: two of the commonest words."""
_CJK_SENTENCE = pattern_of("sentence")
_SHORT_ANSWER_TERMS = 8
"""Terms up to which an answer is a fragment that only its question makes a claim."""
_REPEATED = 0.5
"""Share of the question from which an answer that has it is a statement of its own."""
_SHORT_CJK = 10
"""Characters up to which a Chinese or Japanese text may be such a fragment."""


def claims_of(
    text: str,
    *,
    question: str = "",
    atomicity: Literal["low", "high"] = "high",
    coverage: Literal["low", "high"] = "high",
) -> tuple[str, ...]:
    """Return the claims of a text, in its order, each once.

    Args:
        text: A response or a reference.
        question: What the text answers. A short answer is put behind its question, as in
            "Where is it? Paris", which says what the answer alone leaves open.
        atomicity: `high` takes sentences apart where a rule is safe, `low` leaves them whole.
        coverage: `high` keeps every statement; `low` leaves out parentheses and examples.

    Returns:
        None of them a question, a greeting or a refusal; empty for a text that states nothing.

    Example:
        >>> claims_of("Hello! The lock was built in 1890; it is red. Anything else?")
        ('The lock was built in 1890', 'The lock is red.')
        >>> claims_of("Paris", question="Where is it?"), claims_of("I don't know.")
        (('Where is it? Paris',), ())
    """
    if is_refusal(text):
        return ()
    short = without_frame(text) if question.strip() else text
    if question.strip() and is_fragment(short, question):
        return (f"{as_question(question)} {short.strip()}",)
    statements = [
        plain for unit in sentences(_FENCE.sub("\n\n", text)) if (plain := _statement(unit))
    ]
    statements = [each for each in statements if not _is_vague(each)] or statements
    if coverage == "low":
        statements = _main_statements(statements)
    claims: list[str] = []
    subject = ""
    for statement in statements:
        whole = with_subject(statement, subject)
        subject = subject_of(whole) or subject
        claims += clauses_of(whole) if atomicity == "high" else [whole]
    return tuple(dict.fromkeys(claims))


def _statement(unit: str) -> str:
    """Return a sentence without its markup, or nothing if it states nothing."""
    if unit.lstrip().startswith("|"):
        unit = " | ".join(cell.strip() for cell in unit.split("|") if cell.strip(" -:"))
    elif unit.lstrip().startswith("#"):
        return ""
    plain = _EMPHASIS.sub("", _CITATION.sub("", _MARKER.sub("", unit))).strip()
    plain = _with_joined_apostrophes(plain)
    if not terms(plain) or _RULE.fullmatch(plain) or plain.endswith(("?", "？")):
        return ""
    if _GREETING.fullmatch(plain) or _INTRODUCTION.fullmatch(plain) or evades(plain):
        return ""
    stated = _without_frame(_PREFACE.sub("", plain, count=1))
    return stated if len(terms(stated)) > 1 else plain


def _without_frame(statement: str) -> str:
    """Return a statement without the doubt before it and "I know that" around it.

    "I'm not sure, but I do know that the lock was built in 1890." becomes "the lock was built in
    1890."; "I know the answer" stays, because "the answer" states nothing.
    """
    plain = _DOUBT.sub("", statement, count=1)
    if len(plain.split()) < _FEWEST_WORDS:
        return statement
    match = _KNOWING.match(plain)
    rest = plain[match.end() :] if match else ""
    parts = rest.split()
    if match is None or len(parts) < _FEWEST_WORDS:
        return plain
    has_verb = any(is_finite_verb(word) for word in parts[1:_VERB_WITHIN])
    return rest if match["that"] or subject_of(rest) or has_verb else plain


def _with_joined_apostrophes(text: str) -> str:
    """Undo the spaces that tokenised text has around apostrophes."""
    return re.sub(r"(?<=\w) ['’] ?(?=(?:s|t|m|d|re|ve|ll)\b)", "'", text)


def _is_vague(statement: str) -> bool:
    """Return whether a statement has next to no content, as in "That is great"."""
    profile = profile_of(statement)
    heaviest = max((profile.weights[key] for key in profile.content), default=0.0)
    return heaviest <= COMMON_WEIGHT and weight_of_keys(profile, profile.content) <= _VAGUE


def _main_statements(statements: list[str]) -> list[str]:
    main = [_PARENTHESIS.sub("", each) for each in statements if not _DETAIL.match(each)]
    return main or statements[:1]


def is_short_answer(text: str) -> bool:
    """Return whether a text is a short answer, or several names for one, rather than a sentence."""
    tokens = terms(text)
    if "\n" in text.strip() or not tokens or _GREETING.fullmatch(text.strip()):
        return False
    forms = answer_forms(text)
    if len(forms) > 1:
        return True
    if text.rstrip().endswith(("?", "？", ":")):
        return False
    if is_cjk(text):
        return len(text.strip()) <= _SHORT_CJK and not _CJK_SENTENCE.search(text)
    if len(tokens) > _SHORT_ANSWER_TERMS:
        return False
    return len(tokens) <= 3 or not any(is_finite_verb(word) for word in words(text))


def is_fragment(text: str, question: str) -> bool:
    """Return whether a text is a short answer that only its question makes a statement.

    So are several names for one, whatever words they share with the question; what takes up most
    of the question is a statement of its own.
    """
    if not is_short_answer(text):
        return False
    share = content_share(profile_of(question), profile_of(text).weights)
    return share < _REPEATED or len(answer_forms(text)) > 1


def as_question(question: str) -> str:
    """Return a question on one line, with a question mark at its end."""
    plain = " ".join(question.split())
    return plain if plain.endswith(("?", "？")) else f"{plain}?"


_SEMICOLON = re.compile(r"\s*[;；]\s*")
_COORDINATION = pattern_of("coordination", r",?\s+{}\s+")
_CJK_COORDINATION = re.compile(r"(?<=が)、|，(?=但是?|而且|并且|同时|然而)")
_OPENS_CLAUSE = pattern_of("opens_clause", r"(?:{}|[A-ZÄÖÜ][^\s]*)\s", re.NOFLAG)
_LONGEST_CUT = 2_000
"""Characters from which a sentence stays whole: nobody wrote it as one."""
_FEWEST_CHARACTERS = 4
"""The same for Chinese and Japanese, in characters."""
_LONGEST_SUBJECT = 8
"""Words before the verb up to which they are taken for the subject."""

_WORD = re.compile(r"[^\s,;:()]+")
_NEUTER, _PERSONAL = frozenset(words_of("neuter")), frozenset(words_of("personal"))
_PRONOUNS = "|".join([*_NEUTER, *_PERSONAL, *words_of("several")])
_PRONOUN = re.compile(rf"(?P<pronoun>{_PRONOUNS})\s+(?P<rest>(?P<verb>[^\W\d_]+)\b.*)", re.S)
ARTICLES = frozenset(words_of("articles"))
_FINITE_VERBS = frozenset(words_of("verbs"))
_NEVER_OPENS_SUBJECT = frozenset(words_of("no_subject"))


def clauses_of(sentence: str) -> list[str]:
    """Return the clauses of a sentence, each with its subject where it shares one.

    A sentence is cut at semicolons, and at "and", "but", "while" where a finite verb or a
    subject with one follows. Where no rule is safe it stays whole.

    Example:
        >>> clauses_of("Ada was born in Kyoto and died in Rome.")
        ['Ada was born in Kyoto', 'Ada died in Rome.']
        >>> clauses_of("It sells tea and coffee.")
        ['It sells tea and coffee.']
    """
    if len(sentence) > _LONGEST_CUT:
        return [sentence]
    parts = [part for part in _SEMICOLON.split(sentence) if part.strip()]
    if is_cjk(sentence):
        return [clause for part in parts for clause in _cjk_clauses(part)] or [sentence]
    clauses: list[str] = []
    subject = ""
    for part in parts:
        whole = with_subject(part[0].upper() + part[1:] if clauses else part, subject)
        subject = subject_of(whole) or subject
        clauses += _coordinated_clauses(whole, subject)
    return clauses or [sentence]


def _cjk_clauses(part: str) -> list[str]:
    pieces = [piece for piece in _CJK_COORDINATION.split(part) if piece]
    return pieces if all(len(piece) >= _FEWEST_CHARACTERS for piece in pieces) else [part]


def _coordinated_clauses(part: str, subject: str) -> list[str]:
    """Cut at each coordination that a clause of its own follows."""
    clauses: list[str] = []
    start = 0
    for match in _COORDINATION.finditer(part):
        left, right = part[start : match.start()], part[match.end() :]
        if len(left.split()) < _FEWEST_WORDS or len(right.split()) < _FEWEST_WORDS:
            continue
        if _OPENS_CLAUSE.match(right) and _has_subject(right):
            clauses.append(left)
            start = match.end()
        elif subject and is_finite_verb(right.split()[0]) and subject_of(left):
            clauses.append(left)
            return [*clauses, *_coordinated_clauses(f"{subject} {right}", subject)]
    return [*clauses, part[start:]]


def _has_subject(clause: str) -> bool:
    """Return whether a clause has a subject of its own, be it a pronoun."""
    return bool(subject_of(clause)) or is_finite_verb(clause.split()[1])


def subject_of(sentence: str) -> str:
    """Return the words before the first finite verb, if they are likely the subject, or "".

    Example:
        >>> subject_of("The old lock was built in 1890."), subject_of("In 1890 it was built.")
        ('The old lock', '')
    """
    for position, match in enumerate(_WORD.finditer(sentence)):
        if position == 0 and match.group().casefold() in _NEVER_OPENS_SUBJECT:
            return ""
        if position > _LONGEST_SUBJECT:
            return ""
        if position and is_finite_verb(match.group()):
            subject = sentence[: match.start()].strip()
            return "" if re.search(r"[,;:()]", subject) else subject
    return ""


def is_finite_verb(word: str) -> bool:
    """Return whether a word is one of the common finite verbs of English or German."""
    return word.casefold() in _FINITE_VERBS


def with_subject(sentence: str, subject: str) -> str:
    """Put the subject of the sentence before in the place of a leading pronoun.

    "It" takes any subject, "he" and "she" only a name, "they" none: too often it means several
    things named apart.

    Example:
        >>> with_subject("It is red.", "The lock"), with_subject("He left.", "The lock")
        ('The lock is red.', 'He left.')
    """
    match = _PRONOUN.match(sentence)
    if not subject or match is None or not is_finite_verb(match["verb"]):
        return sentence
    is_name = bool(re.fullmatch(r"(?:[A-ZÄÖÜ][^\s]*\s*){1,4}", subject))
    has_article = subject.split()[0] in ARTICLES
    if match["pronoun"] in _NEUTER or (
        match["pronoun"] in _PERSONAL and is_name and not has_article
    ):
        return f"{subject} {match['rest']}"
    return sentence
