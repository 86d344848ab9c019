"""The schema of a collection: what its documents, their sections or their rows say of each entity.

A heading, a label or a column that recurs is an *attribute*, the title of the document, section or
row its *entity*, and the few words that stand there the *value*. Both are found by counting, in any
language.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise

from testset.checks.answers import letters_of
from testset.rules.candidate import Candidate, Kind
from testset.rules.facts import LONGEST_NAME, Fact, Source, headings_of
from testset.rules.language import Language
from testset.rules.outline import Outline
from testset.rules.values import ValueKind

RECURS = 5
"""Entities from which a label is an attribute."""
DISTINCT = 0.6
"""Share of the values at least that must differ: an attribute that is equal everywhere tells
nothing."""
SINGLE = 0.7
"""Entities at least for each value: what one thing has many of is no attribute of it."""
MAIN = 0.66
"""Share of the values at least that are of one kind, where they are numbers, dates or names."""
ENTITY_WORDS = 6
"""Words of an entity at most; nothing is asked about a longer one."""
LONGEST_TAIL = 12
"""Characters of what titles end with at most."""
FIRST_CJK = 0x3040
"""The first letter of Japanese and Chinese, which have no blanks between words."""
_KINDS: Mapping[ValueKind, Kind] = {
    "amount": "numeric",
    "date": "temporal",
    "duration": "numeric",
    "money": "numeric",
    "person": "factoid",
    "time": "temporal",
}
"""What is asked for. Which words a text is asked for with, as "How do I diagnose …?", cannot be
told from the heading that it stands below."""
Key = tuple[str, Source, str]
"""The language, source and letters of an attribute."""


@dataclass(frozen=True)
class Schema:
    """The attributes of a collection.

    Attributes:
        attributes: The kind of most values of each attribute, by its key.
        nouns: Letters of the attributes that are nouns -> the article that the documents use them
            with; empty in a language without.
        recurring: Letters of headings that recur, so that they are no entities.
        tail: What most titles end with, as " runbook", and is no part of an entity.
        language: The code of the main language of the documents; empty if it is not known.
    """

    attributes: Mapping[Key, ValueKind] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)
    recurring: frozenset[str] = frozenset()
    tail: str = ""
    language: str = ""

    def entity_of(self, fact: Fact) -> str:
        """Return whose a value is: the innermost owner with a name of its own; or empty."""
        for owner in reversed(fact.owners):
            if letters_of(owner) not in self.recurring and fact.section.language.names(owner):
                usable = len(owner) <= LONGEST_NAME and fact.section.clean(owner)
                return owner if usable and not fact.section.language.is_question(owner) else ""
        return ""

    def named(self, entity: str) -> str:
        """Return an entity without what most titles end with."""
        return entity.removesuffix(self.tail) or entity

    def joined(self, other: "Schema") -> "Schema":
        """Return what either of two schemas has."""
        attributes = {**other.attributes, **self.attributes}
        recurring, nouns = self.recurring | other.recurring, {**other.nouns, **self.nouns}
        return replace(self, attributes=attributes, nouns=nouns, recurring=recurring)


def schema_of(outlines: Sequence[Outline], facts: Sequence[Fact]) -> Schema:
    """Return the attributes that recur.

    Args:
        outlines: The documents, or one of them.
        facts: What they state.
    """
    heads: dict[str, set[str]] = defaultdict(set)
    for heading, above in chain.from_iterable(map(headings_of, outlines)):
        heads[letters_of(heading)].add(above)
    schema = Schema(recurring=frozenset(head for head, own in heads.items() if len(own) >= RECURS))
    groups: dict[Key, list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[_key(fact)].append(fact)
    kinds = {key: _kind_of(group, schema) for key, group in groups.items()}
    attributes = {key: kind for key, kind in kinds.items() if kind is not None}
    texts = (outline.document.view.text for outline in outlines)
    text = "\n".join(texts).casefold() if attributes else ""
    labels = {
        letters_of(fact.attribute): fact
        for key, group in groups.items()
        for fact in group
        if key in attributes
    }
    nouns = _articles_of(labels.values(), text)
    tail = _tail_of({fact.section.page for fact in facts})
    return Schema(attributes, nouns, schema.recurring, tail)


def _tail_of(titles: Iterable[str]) -> str:
    """Return what most titles end with: a word or more, in Chinese and Japanese some characters.

    Example:
        >>> _tail_of(["Pump guide", "Valve guide", "Tank guide", "Vent guide", "Seal guide"])
        ' guide'
    """
    titles = [title for title in titles if title]
    for length in range(LONGEST_TAIL, 1, -1):
        for tail, count in Counter(title[-length:] for title in titles).most_common(1):
            whole = tail[0] == " " or ord(tail[0]) >= FIRST_CJK
            if whole and count >= max(RECURS, MAIN * len(titles)):
                return tail
    return ""


def _key(fact: Fact) -> Key:
    """Return what tells an attribute from others; the rows of one table are counted together."""
    table = f"{fact.span.doc_id} {fact.table}"
    name = table if fact.source == "row" else letters_of(fact.attribute)
    return fact.section.language.code, fact.source, name


def _kind_of(facts: Sequence[Fact], schema: Schema) -> ValueKind | None:
    """Return the kind of an attribute's values; `None` if they are too few, alike or of no use."""
    if facts[0].source == "row":
        return "text" if len({fact.attribute for fact in facts}) >= RECURS else None
    entities = {(fact.span.doc_id, schema.entity_of(fact)) for fact in facts}
    values = [letters_of(fact.answer) for fact in facts]
    if (
        len(entities) < max(RECURS, SINGLE * len(facts))
        or len(set(values)) < DISTINCT * len(values)
        or _counts(facts)
        or _unnamed(facts, schema) > len(facts) / 2
    ):
        return None
    kind, count = Counter(fact.kind for fact in facts).most_common(1)[0]
    return kind if kind in _KINDS and count >= MAIN * len(facts) else None


def _unnamed(facts: Sequence[Fact], schema: Schema) -> int:
    """Return how many values are of rows whose names are common words, as "easy" and "hard"."""
    rows = (fact for fact in facts if fact.source == "column" and fact.section.language.small)
    return sum(fact.section.outline.is_common(schema.entity_of(fact)) for fact in rows)


def _counts(facts: Sequence[Fact]) -> bool:
    """Return whether the values are the numbers of rows: 1, 2, 3 and so on."""
    numbers = [int(fact.answer) for fact in facts if fact.answer.isdecimal()]
    rising = all(after - before in (1, 1 - before) for before, after in pairwise(numbers))
    return len(numbers) == len(facts) and rising


def _articles_of(facts: Iterable[Fact], text: str) -> dict[str, str]:
    """Return the article that each label mostly stands with, by its letters; of nouns alone.

    In languages without articles, a label is a noun that stands behind a particle, as "of".

    Args:
        facts: One of each label.
        text: Where the labels are looked for, casefolded; it is read once for each language.
    """
    nouns: dict[str, str] = {}
    by_language: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        label, language = fact.attribute, fact.section.language
        if language.script == "latin":
            by_language[language.code].append(fact)
        elif any(f"{particle}{label.casefold()}" in text for particle in language.articles):
            nouns[letters_of(label)] = ""
    for own in by_language.values():
        nouns |= _counted_articles([fact.attribute for fact in own], own[0].section.language, text)
    return nouns


def _counted_articles(labels: Sequence[str], language: Language, text: str) -> dict[str, str]:
    by_word: dict[str, list[str]] = defaultdict(list)
    for label in map(str.casefold, labels):
        by_word[re.split(r"\W", label, maxsplit=1)[0]].append(label)
    articles = "|".join(sorted(language.articles, key=len, reverse=True)) or "(?!)"
    end = re.compile(rf"[.,;:)\n]| (?:{'|'.join(language.common)})\b")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for match in re.finditer(rf"\b({articles}) ?(?=(\w+))", text):
        for label in by_word.get(match[2], ()):
            if text.startswith(label, match.end()) and end.match(text, match.end() + len(label)):
                counts[letters_of(label)][match[1]] += 1
    return {key: counted.most_common(1)[0][0] for key, counted in counts.items()}


def schema_questions(
    outline: Outline, facts: Sequence[Fact], schema: Schema
) -> Iterator[Candidate]:
    """Yield what the facts of a document answer whose attributes recur, each once."""
    seen: dict[str, list[Candidate]] = defaultdict(list)
    for fact in facts:
        kind, entity = schema.attributes.get(_key(fact)), schema.entity_of(fact)
        if kind is None or not entity or not _fits(fact, kind, entity):
            continue
        question = _question(outline, fact, schema)
        if question:
            seen[question].append(_candidate(fact, question))
    for drafts in seen.values():
        if len(drafts) == 1:
            yield drafts[0]


def _fits(fact: Fact, main: ValueKind, entity: str) -> bool:
    """Return whether a value is of the kind of the others, and not its entity once more."""
    again = letters_of(fact.answer.split(" (")[0]) in letters_of(entity) or not letters_of(
        fact.answer
    )
    return not again and fact.kind in _KINDS and (fact.kind == main or fact.source == "row")


def _question(outline: Outline, fact: Fact, schema: Schema) -> str:
    """Return what asks for a value of an entity; empty where it could not be understood alone.

    Nothing is asked about a part of something that has a name, as a pin of a board.
    """
    language, owner = outline.language, schema.entity_of(fact)
    article, entity = schema.nouns.get(letters_of(fact.attribute)), schema.named(owner)
    inside = len(entity.split()) <= ENTITY_WORDS and not re.search(r"[,:;()]", entity)
    common = language.small and fact.source == "column" and outline.is_common(entity)
    page = fact.section.page
    part = owner != page and language.names(page) and not outline.is_common(page)
    if article is None or not inside or common or part:
        return ""
    many = "_many" if language.is_many(fact.attribute) else ""
    names = (f"{fact.kind}{many}", fact.kind, f"text{many}", "text")
    template = next((language.ask[name] for name in names if name in language.ask), "")
    words = {
        "of": language.ask.get("of", " {entity}").format(entity=entity),
        "the": f"{article} " if article and article[-1].isalpha() else article,
        "attribute": outline.plainly_cased(fact.attribute),
        "entity": entity,
    }
    return " ".join(template.format(**words).split())


def _candidate(fact: Fact, question: str) -> Candidate:
    raw = fact.section.raw(fact.span)
    return Candidate(
        question,
        fact.answer,
        ((fact.span,),),
        _KINDS[fact.kind],
        f"schema: {fact.attribute.casefold()}",
        fact.section.language.code,
        type="table" if fact.table and fact.source in {"column", "row"} else "single_hop",
        verbatim=letters_of(fact.answer) in letters_of(raw),
    )
