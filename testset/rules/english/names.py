"""English names: which of them are people's."""

import re

__all__ = ["full_name", "is_person"]

_FULL_NAME = re.compile(
    r"^[A-Z][\w'’-]+(?: [A-Z]\.)?(?: (?:de|von|van|der|la|the))* [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?$"
)
_RANK = re.compile(
    r"^(?:Mr\.?|Mrs\.?|Ms\.?|Princess|Empress|Lady|Archbishop|Cardinal|Captain|Colonel|General|"
    r"Admiral|Senator|Governor|Mayor|Professor|Prof\.|Economist|Historian|Archaeologist|Journalist|"
    r"Philosopher|Architect|Duke|Count|Baron|Chancellor|Minister|Judge|Justice) [A-Z]"
)
"""What a person is called by that does not tell the whole name."""
_TITLE = re.compile(
    r"^(?:Dr\.?|Sir|King|Queen|Pope|Prince|President|Emperor|Saint|Lord|Bishop) [A-Z]"
)
_FIRST_NAMES = frozenset(
    [
        "Ada",
        "Adam",
        "Albert",
        "Alexander",
        "Alfred",
        "Alice",
        "Amy",
        "Andrew",
        "Anna",
        "Anne",
        "Antoine",
        "Arnold",
        "Arthur",
        "Barbara",
        "Beatriz",
        "Benjamin",
        "Bernard",
        "Bill",
        "Bob",
        "Brian",
        "Carl",
        "Caroline",
        "Catherine",
        "Charles",
        "Charlotte",
        "Christian",
        "Christopher",
        "Claude",
        "Cyprien",
        "Daniel",
        "David",
        "Dennis",
        "Donald",
        "Edward",
        "Elizabeth",
        "Emily",
        "Emma",
        "Eric",
        "Ernest",
        "Eugene",
        "Ferdinand",
        "Francis",
        "Francisco",
        "Frank",
        "Franz",
        "Fred",
        "Frederick",
        "Gary",
        "Genghis",
        "George",
        "Gerald",
        "Gordon",
        "Grace",
        "Guglielmo",
        "Hans",
        "Harold",
        "Harry",
        "Heinrich",
        "Helen",
        "Henri",
        "Henry",
        "Herbert",
        "Howard",
        "Hugh",
        "Imogen",
        "Isaac",
        "Jack",
        "Jacob",
        "James",
        "Jamie",
        "Jane",
        "Jared",
        "Jean",
        "Jeff",
        "Jerry",
        "Jim",
        "Joan",
        "Joe",
        "Johann",
        "John",
        "Jonathan",
        "Joseph",
        "Josh",
        "Juan",
        "Judith",
        "Julia",
        "Julius",
        "Karl",
        "Kate",
        "Katharina",
        "Keith",
        "Ken",
        "Kevin",
        "Kublai",
        "Kurt",
        "Larry",
        "Lawrence",
        "Leo",
        "Leonard",
        "Leonardo",
        "Lewis",
        "Linda",
        "Louis",
        "Lucy",
        "Luke",
        "Luther",
        "Marcus",
        "Margaret",
        "Maria",
        "Marie",
        "Mark",
        "Martin",
        "Mary",
        "Matthew",
        "Max",
        "Michael",
        "Michel",
        "Mike",
        "Milutin",
        "Muhammad",
        "Napoleon",
        "Nelson",
        "Nicolas",
        "Nikola",
        "Nora",
        "Oliver",
        "Oscar",
        "Otto",
        "Patrick",
        "Paul",
        "Pedro",
        "Peter",
        "Peyton",
        "Philip",
        "Philipp",
        "Pierre",
        "Rafael",
        "Ralph",
        "Raymond",
        "Rebecca",
        "Richard",
        "Robert",
        "Roger",
        "Ron",
        "Rosa",
        "Rowan",
        "Roy",
        "Rudolf",
        "Russell",
        "Ruth",
        "Sam",
        "Samuel",
        "Sarah",
        "Scott",
        "Sebastian",
        "Simon",
        "Siobhan",
        "Sophie",
        "Stephen",
        "Steve",
        "Steven",
        "Stuart",
        "Susan",
        "Theodore",
        "Thomas",
        "Tim",
        "Timothy",
        "Tomasz",
        "Tom",
        "Tony",
        "Victor",
        "Vincent",
        "Virginia",
        "Walter",
        "Wilhelm",
        "William",
        "Yuri",
    ]
)


def is_person(name: str) -> bool:
    """Return whether a name is surely a person's: a known first name, or a title, begins it.

    Example:
        >>> is_person("Martin Luther"), is_person("New Jersey"), is_person("Pope Leo X")
        (True, False, True)
    """
    if _TITLE.match(name) or _RANK.match(name):
        return len(name.split()) <= 4
    return bool(_FULL_NAME.match(name)) and name.split()[0] in _FIRST_NAMES


def full_name(subject: str, text: str) -> str | None:
    """Return a person's name in full where the document tells it of a surname.

    Args:
        subject: A subject; only one capitalised word is looked up.
        text: The document.

    Returns:
        The subject itself if the document tells no other name for it; `None` if it tells two.

    Example:
        >>> full_name("Quill", "Nora Quill was a baker. Quill sold bread.")
        'Nora Quill'
        >>> full_name("Quill", "Nora Quill and Ada Quill were bakers.") is None
        True
    """
    if not re.fullmatch(r"[A-Z][a-z'’-]+", subject):
        return subject
    before = r"[A-Z][a-z]+(?: [A-Z]\.)?(?: [A-Z][a-z]+)?"
    found = set(re.findall(rf"\b{before} {re.escape(subject)}\b", text))
    people = {name for name in found if is_person(name) and not _RANK.match(name)}
    if len(people) > 1:
        return None
    return people.pop() if people else subject
