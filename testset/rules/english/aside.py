"""English asides: "They met Nora Quill, a baker of Ely, in 1901" -> "Who was Nora Quill?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.dates import hangs_on_today
from testset.rules.english.definition import has_role
from testset.rules.english.finite import AUXILIARIES
from testset.rules.english.names import is_person
from testset.rules.english.opening import plain
from testset.rules.english.phrase import stands_alone
from testset.rules.english.subject import is_subject
from testset.rules.english.vague import is_vague_head, judges, points_back
from testset.rules.english.verbs import verb_of
from testset.rules.english.which import KINDS, kind_of
from testset.rules.passage_candidate import Candidate

__all__ = ["asides"]

_NAME = r"[A-Z][\w'’-]*[\w](?: (?:(?:of|de|von|van|the)(?= (?:the )?[A-Z])|[A-Z][\w'’-]*[\w]))*"
_BESIDE = re.compile(
    rf"(?P<before>^|\b[a-z]+ )(?P<name>(?:[Tt]he (?:(?:county|city|town) of )?)?{_NAME}), "
    r"(?P<what>(?:an?|the|one of the|[A-Z][a-z]+['’]s) (?:[^,;:()\"“”–—.]|,(?=\d)|\.(?=\w))+)"
    r"(?P<after>[,;]|\.?$)"
)
_FIRST = re.compile(
    r"(?:the|[A-Z][a-z]+['’]s) (?:(?:second|third)[ -])?(?:first|only|[a-z]{2,}est|most [a-z]+)\b "
    r"(?:[\w-]+ ){1,5}(?:of|in|on|to|for) "
)
_NOT_OF_IT = frozenset({"and", "as", "between", "in", "including", "like", "near", "of", "or"})
"""Words before a name after which a list may follow, or another noun may be what is told of."""
_HEAD_END = re.compile(r" (?:of|in|for|on|at|to|from|with|by|about|who|which|that|whose|[a-z]+ed) ")
_OWN = re.compile(r" (?:that|which|who|whose|where) ")
_POINTING = re.compile(
    r"\bthe [a-z]+['’]s\b|^the \d|-year-old\b|-(?:minute|hour|mile)\b|"
    r"^the (?:[a-z]+ )+[a-z]+ed (?!as\b|at\b|"
    r"by\b|for\b|from\b|in\b|into\b|on\b|to\b|with\b)"
)
_NOW, _THEN = re.compile(r"\b(?:is|are|says|has|will)\b"), re.compile(r"\b(?:was|were|[a-z]+ed)\b")
_LONG_AGO = re.compile(r"\b1[0-9]\d\d\b")
_THINGS_WORDS = """
agency airline airport band bank base brand campaign centre center chain channel charity city
collection company complex consortium firm foundation initiative instrument magazine map material
metric nonprofit operator opera organisation organization programme program provider publication
publisher region resort restaurant retailer school service site software startup store subsidiary
suite suburb symphony technique term tool town venture website vessel song album book novel play
poem press
"""
_THINGS = KINDS - {"model"} | frozenset(_THINGS_WORDS.split())
FEWEST, MOST = 4, 18
QUALITY = 0.76


def asides(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for what a sentence says between commas of a name."""
    for sentence in passage.sentences:
        text = plain(re.sub(r"\s?\([^()]*\)", "", sentence.text))
        for match in _BESIDE.finditer(text):
            asked = _question(match, text) if _is_beside(match, text) else None
            if asked is None:
                continue
            answer = match["name"] if asked.endswith(f"{match['what']}?") else match["what"]
            yield Candidate(
                asked,
                answer,
                sentence.start,
                sentence.end,
                "definition" if answer == match["what"] else "naming",
                "english.aside",
                QUALITY if answer == match["what"] else 0.93,
            )


def _is_beside(match: re.Match[str], text: str) -> bool:
    """Return whether the words between commas tell what the name is, and are no list's next."""
    what, before = match["what"], text[: match.start("name")]
    following = text[match.end() :].lstrip()
    if not FEWEST <= len(what.split()) <= MOST or re.match(r"(?:and|or)\b", following):
        return False
    if before.rstrip().rpartition(" ")[2] in _NOT_OF_IT or text.startswith("#"):
        return False
    if before and not any(_is_verb(word) for word in before.split()):
        return False
    if not before and (match["after"] != "," or not is_subject(match["name"])):
        return False
    if (
        " of " in match["name"]
        and match["name"][:4].lower() != "the "
        and not kind_of(match["name"])
    ):
        return False
    if hangs_on_today(what):
        return False
    return _is_phrase(what) and not has_role(match["name"].lower())


def _is_phrase(what: str) -> bool:
    """Return whether words are a noun phrase without a verb of its own, and tell by themselves."""
    bare = _OWN.split(what)[0]
    words = bare.split()
    for word, following in zip(words[1:], [*words[2:], ""], strict=True):
        verb = verb_of(word)
        if word in AUXILIARIES or (verb and verb.past and following not in _AFTER_PARTICIPLE):
            return False
        if verb and not verb.past and following in {"a", "an", "from", "that", "the", "with"}:
            return False
    head = _HEAD_END.split(what)[0]
    if is_vague_head(head.split()[-1]) or judges(head) or _POINTING.search(what):
        return False
    if what.startswith("the ") and (words[1][:1].isupper() or not re.search(r"[A-Z]", what)):
        return False
    if not _FIRST.match(what) and points_back(head):
        return False
    return stands_alone(re.sub(r"\b(?:which|who|that|whose|where)\b", "", what))


_AFTER_PARTICIPLE = frozenset(
    {"as", "at", "by", "for", "from", "in", "into", "of", "on", "to", "under", "with"}
)


def _is_verb(word: str) -> bool:
    return word in AUXILIARIES or verb_of(word) is not None


def _question(match: re.Match[str], text: str) -> str | None:
    """Return the question for the thing if only one is that, else for what the thing is.

    `None` where it is unsure whether to ask by "who" or by "what".
    """
    name, what = match["name"], match["what"]
    who = is_person(name) or (" " in name and has_role(what) and not kind_of(name))
    if not who and not _is_thing(name, what):
        return None
    now = _NOW.search(text) or not _THEN.search(text) or not (who or _LONG_AGO.search(text))
    opening = f"{'Who' if who else 'What'} {'is' if now else 'was'}"
    if _FIRST.match(what) and re.search(r" [A-Z]", what):
        return f"{opening} {what}?"
    named = f"the {name[4:]}" if name.startswith("The ") and not match.start("name") else name
    return f"{opening} {named}?"


def _is_thing(name: str, what: str) -> bool:
    """Return whether no person is meant: the name or what it is tells the kind of thing."""
    head = _HEAD_END.split(what)[0].split()[-1]
    if " " not in name and not (name.isupper() and len(name) > 2):
        return False
    return bool(kind_of(name)) or head in _THINGS or bool(_FIRST.match(what) and name[:4] == "the ")
