"""Where a German clause can be parted: at its finite verb, and before what is subordinate."""

import re

from testset.rules.german.closed_classes import (
    DETERMINERS,
    PREPOSITIONS,
    RELATIVE,
    SUBORDINATORS,
)
from testset.rules.german.verbs import finite_inside, is_finite, is_plural

__all__ = ["parted", "second_place", "second_predicate"]

_LONGEST_FRONT = 12
_LONGEST_INSERTED = 8


def second_place(words: list[str]) -> tuple[str, int] | None:
    """Return the front and where the verb stands; `None` if that is unsure."""
    if words[0].lower() in _OPENERS:
        return _after_clause(words)
    for number in range(1, min(len(words), _LONGEST_FRONT + _LONGEST_INSERTED)):
        before, word = words[number - 1], words[number]
        inserted = _inserted(words, number) if before.endswith(",") else 0
        if inserted:
            # what is said of a kind holds only with its relative clause
            kind = words[0] in {"Ein", "Eine"} or is_plural(words[inserted])
            return None if kind else _front(words[:number], inserted)
        if is_finite(word.rstrip(",")) and _closes(before.rstrip(","), number):
            return _front(words[:number], number)
    return None


_OPENERS = frozenset({"als", "bevor", "da", "indem", "nachdem", "um", "weil", "wenn"})


def _after_clause(words: list[str]) -> tuple[str, int] | None:
    """Return the subordinate clause in front and where the verb after it stands."""
    if words[0] == "Um" and "zu" not in words:
        return None
    for number in range(3, len(words) - 1):
        before, word = words[number - 1], words[number]
        if before.endswith(",") and is_finite(word):
            return " ".join(words[:number]).rstrip(","), number
    return None


def _inserted(words: list[str], start: int) -> int:
    """Return where the clause goes on after an insertion between commas; 0 if there is none."""
    for number in range(start, len(words) - 1):
        if words[number].endswith(",") and is_finite(words[number + 1]):
            return number + 1
    return 0


def _closes(word: str, number: int) -> bool:
    """Return whether a word can end what stands before the verb in place `number`."""
    if number == 1 and (word.lower() in DETERMINERS | PREPOSITIONS or _QUANTITY.match(word)):
        return False
    return word[:1].isupper() or word[:1].isdigit()


_QUANTITY = re.compile(
    r"(?:Dies|Jen|Jed|Viel|Einig|Mehrer|All|Manch|Solch|Sein|Ihr|Unser|Kein|Beid|Ander|Zahlreich|"
    r"Verschieden|Weiter|Letzter|Erster)(?:e[mnrs]?)?$"
)


_OPEN = re.compile(
    r"(?:Der|Die|Das|Ein|Eine) (?:(?:[a-zäöüß]+ )?"
    rf"(?:{'|'.join(sorted(PREPOSITIONS))}) )"
)
"""An article and a preposition: an attribute whose participle looks like the verb."""


def _front(words: list[str], after: int) -> tuple[str, int] | None:
    front = " ".join(words).rstrip(",")
    bare = front in {"Der", "Die", "Das", "Ein", "Eine", "Im", "In", "Am"}
    if bare or _OPEN.match(front) or len(words) > _LONGEST_FRONT:
        return None
    if re.match(r"\S+ (?:sich|nicht|auch)\b", front) or "," in front:
        return None
    return front, after


def parted(rest: str) -> tuple[str, str, str]:
    """Return what belongs to the main clause, and the joint and text of the clause after it."""
    main, joint, tail = rest, "", ""
    for match in re.finditer(r", ", rest):
        after = rest[match.end() :]
        word = after.split()[0].strip(",") if after.split() else ""
        if _needed(word, after):
            return rest[: match.start()].strip(" ,"), "zu", after
        if word in SUBORDINATORS or RELATIVE.match(after) or _is_clause(word, after):
            joint, tail = "zu" if _goes_on(after) else word, after
            main = rest[: match.start()]
            break
    comma = main.find(", ")
    if comma > 0 and not re.search(r" (?:und|oder|sowie|bis|sowohl) ", main[comma:]):
        joint = "zu" if main.count(", ") > 1 else joint
        main = main[:comma]  # an apposition
    cut = _second_predicate(main)
    if cut is not None:
        main, joint, tail = main[:cut], "", ""
    return main.strip(" ,"), joint, tail


def _goes_on(after: str) -> bool:
    """Return whether the main clause goes on behind a subordinate clause."""
    last = after.split(", ")[-1]
    word = last.split()[0]
    opens = word in SUBORDINATORS or RELATIVE.match(last) or word in {"und", "oder", "sowie"}
    closes = is_finite(last.split()[-1]) or finite_inside(last)
    return ", " in after and not opens and not closes


def _needed(word: str, after: str) -> bool:
    """Return whether a clause after a comma is what the verb before it is about."""
    infinitive = re.match(r"(?:[^,]* )?(?:\w+zu\w+|zu \w+)n(?:$|,| )", after) is not None
    return (infinitive and word not in {"um", "ohne", "anstatt", "statt"}) or (
        _REPORTED.search(after.split(",")[0]) is not None and word not in SUBORDINATORS
    )


_REPORTED = re.compile(r"\b(?:habe|sei|seien|hätten?|wären?|könnten?|könne|würden?|solle|müsse)\b")


def _is_clause(word: str, after: str) -> bool:
    joins = {"aber", "und", "doch", "jedoch", "sondern", "denn", "darunter", "insbesondere", "also"}
    return word in joins or finite_inside(after)


def second_predicate(predicate: str) -> str:
    """Return what a second finite verb opens behind "und"; empty if there is none.

    Example:
        >>> second_predicate("wurde 1951 eröffnet und war das erste Museum in Ely")
        'war das erste Museum in Ely'
        >>> second_predicate("baute Mühlen und Türme")
        ''
    """
    cut = _second_predicate(predicate)
    if cut is None or "," in predicate[:cut]:
        return ""
    joint, _, after = predicate[cut:].strip().partition(" ")
    return after if joint == "und" and is_finite(after.split()[0]) else ""


def _second_predicate(main: str) -> int | None:
    """Return where a second predicate begins; `None` if there is none."""
    for match in re.finditer(r" (?:und|aber|sowie|doch|oder) ", main):
        after = main[match.end() :]
        word = after.split()[0]
        begins = finite_inside(f"und {after}") or (is_finite(word) and _starts_verb(after))
        if begins:
            return match.start()
    return None


def _starts_verb(after: str) -> bool:
    """Return whether a small finite form is followed by what only a verb is followed by."""
    words = after.split()
    if words[0].endswith("en") or len(words) < 2:
        return False
    follows = DETERMINERS | PREPOSITIONS | {"häufig", "oft", "nicht", "sich", "meist", "dort"}
    return words[1] in follows and words[0].endswith("t")
