"""Soundness: whether an English question and its answer read as a person would write them.

The last look at what the rules wrote, whichever rule it was: what fails here is not mended.
"""

import re

from testset.rules.english.dates import hangs_on_today
from testset.rules.english.phrase import is_whole
from testset.rules.english.vague import is_vague_head
from testset.rules.passage_candidate import Candidate

__all__ = ["is_sound", "lack_of"]

_BROKEN = re.compile(
    r"[*=<>{}|`\\@#:;\"“”]|\s[–—-]+\s|\b[A-Z]\.[A-Z]\?$|\b(?:an|the|a) (?:an|the|a)\b|\.\.|--"
    r"|\b(?:a|an|the|and|or|their|its|his|her)\?$|\?.*\?|\b(?:and|or) (?:and|or)\b"
    r"|(?<!\w)[a-z]\.\w|\b\d+-\d+\b(?! [a-z]+s\b)|(?<![\w'’])[b-z] "
    r"|\b[a-z]\?$|\b(?:subsequently|eventually|afterwards|meanwhile|finally|this|these|it|they|we|us|our|ours|you|your)\b"
)
_EMPTY_ANSWER = re.compile(
    r"(?:it|them|him|her|which|this|these|those|so|such|everything|anything|something|nothing|"
    r"everyone|others|each|either|no|not|you|we|us|me|they|he|she|there|how|what|whether)\b",
    re.IGNORECASE,
)
_DEICTIC_ANSWER = re.compile(r"\b(?:we|us|our|I|my|you|your|here|above|below|aforementioned)\b")
_OPINIONS_ALLOWED = frozenset({"english.task", "english.manner", "english.purpose"})
_THE = re.compile(r"\bthe ([a-z-]+)(?=\?| (?:in|on|for|at|by|to|with|from)\b)")
_LAST = re.compile(
    r" the (?!world|sun|moon|sea|sky|earth|internet|web|north|south|east|west|"
    r"poor|rich|public|[a-z]+est\b)[a-z-]+\?$"
)
"""A thing at the end that only the text before it tells: "Who opposed the ban?"."""
_OWNER_UNSAID = re.compile(
    r"(?:Which|What) [a-z]+ (?!did|does|do|is|was|were|are|can|has|have)\w+ .*\b(?:his|her)\b"
)
"""A thing is asked for, so that "his" is somebody's who is not named."""
LONGEST_QUESTION = 24
LONGEST_ANSWER = 45
"""Words: more is a story, not an answer."""


def is_sound(candidate: Candidate) -> bool:
    """Return whether a question is well formed, and its answer a whole phrase that says something.

    Example:
        >>> good = Candidate("Who built Ely Hall?", "Nora Quill", 0, 9, "factoid", "english.agent")
        >>> is_sound(good)
        True
    """
    question, answer = candidate.question, candidate.answer.strip()
    if _BROKEN.search(question) or _OWNER_UNSAID.match(question):
        return False
    if any(is_vague_head(match[1]) for match in _THE.finditer(question)) or _LAST.search(question):
        return False
    if hangs_on_today(question) or len(question.split()) > LONGEST_QUESTION:
        return False
    free = candidate.rule in _OPINIONS_ALLOWED
    if not free and (_EMPTY_ANSWER.match(answer) or _DEICTIC_ANSWER.search(answer)):
        return False
    return is_whole(answer) and len(answer.split()) <= LONGEST_ANSWER


_ASKING = frozenset({"does", "many", "much", "what", "when", "where", "which", "whose", "year"})
_SHORT_BY_NATURE = frozenset(
    {"english.acronym", "english.aside", "english.definition", "english.task"}
)
_NAMED_ONCE = re.compile(
    r"(?:When|Where|In which year|Why|How (?:long|old|many|much)\b.*?) "
    r"(?:did|was|were|is|are|does) (?:(?:the )?(?:[A-Z][\w'’.-]* ){2,}.*|"
    r"(?:the )?[A-Z][\w'’.-]* (?:die|born|found|founded|built|"
    r"open|close|begin|end|completed|established|located|collapse|move|marry|abolished)\b.*)\?$"
)
"""A full name, or a name and what comes to pass once: a short question about it asks one thing."""
ENOUGH, SOME = 2.5, 2.0


def lack_of(candidate: Candidate) -> float:
    """Return what to take off for a question that says little: it may fit more than one answer.

    A name or a number counts as one, another word of more than three letters as half of one.

    Returns:
        0, 0.1 or 0.2; 0 where such questions are short by nature ("What is a sluice?").

    Example:
        >>> asked = "What is Ely known for?"
        >>> lack_of(Candidate(asked, "its hens", 0, 9, "factoid", "english.relation"))
        0.2
    """
    if candidate.rule in _SHORT_BY_NATURE:
        return 0.0
    if _NAMED_ONCE.match(candidate.question):
        return 0.0
    words = re.findall(r"[\w'’-]+", candidate.question)[1:]
    names = sum(not word[:1].islower() for word in words)
    others = sum(word[:1].islower() and len(word) > 3 for word in words if word not in _ASKING)
    said = names + others / 2
    return 0.0 if said >= ENOUGH else 0.1 if said >= SOME else 0.2
