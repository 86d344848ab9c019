"""Documents for tests of the generator: short sentences, names, numbers, tables."""

from random import Random

from testset import SourceDocument

PLACES = [
    "Arden",
    "Belmont",
    "Corrie",
    "Dalton",
    "Elmsford",
    "Farley",
    "Glenrock",
    "Harwick",
    "Inverby",
    "Jarrow",
]
THINGS = [
    "pump",
    "valve",
    "boiler",
    "turbine",
    "crane",
    "kiln",
    "loom",
    "press",
    "winch",
    "furnace",
]
SYLLABLES = ["ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo"]
VERBS = ["weighs", "measures", "lifts", "draws", "holds"]
UNITS = ["kilograms", "metres", "tonnes", "watts", "litres"]
RULES = (
    "If the {thing} of {place} runs hot, the crew of {maker} cools it for {n} minutes.",
    "The {maker} works delivered the {thing} of {place} in {year}.",
    "The {thing} of {place} {verb} {n} {unit}.",
    "Each shift at the {place} {thing} needs {n} workers.",
)


SHEET = (
    "{place} is a small yard on the river of {maker}.\n",
    "The rent, the height, the load, the output, the draught and the crew are those of {maker}.\n",
    "- Rent: {n[0]} pounds",
    "- Height: {n[1]} metres",
    "- Load: {n[2]} tonnes",
    "- Output: {n[3]} watts",
    "- Draught: {n[4]} metres",
    "- Crew: {n[5]} people",
)
"""What rules can ask of each document, since it recurs."""


def table_of(things: str, *labels: str) -> str:
    """Return a page with a table of which rules can ask for each cell."""
    text = f"# The {things}\n\nThis is a page of the yard, and it is for you."
    text += "".join(f" Mind the {label.lower()}." for label in labels)
    text += f"\n\n| {things} | {' | '.join(labels)} |\n|---|{'---|' * len(labels)}\n"
    for number, name in enumerate(("Harvat", "Orlant", "Bekum", "Selvan", "Torvid")):
        cells = (f"{10 * column + number + 4} kg" for column in range(len(labels)))
        text += f"| {name}{things[:2]} | {' | '.join(cells)} |\n"
    return text


def documents(
    count: int, *, sentences: int = 6, seed: int = 7, sheets: bool = False
) -> list[SourceDocument]:
    """Return documents of about one passage; the first two disagree, the third has a table.

    With `sheets`, each ends with values that rules can ask for.
    """
    draw = Random(seed)
    found = []
    for number in range(count):
        place, thing = PLACES[number % 10], THINGS[number // 10 % 10]
        name = f"{place}-{number}"
        lines = []
        for turn in range(sentences):
            unit = draw.randrange(5)
            lines.append(
                RULES[turn % 4].format(
                    thing=thing if turn < 4 else draw.choice(THINGS),
                    place=name,
                    maker=_maker(draw.randrange(max(10, count // 5))),
                    n=draw.randrange(11, 9999),
                    year=draw.randrange(1801, 1999),
                    verb=VERBS[unit],
                    unit=UNITS[unit],
                )
            )
        text = f"# {name}\n\n{' '.join(lines)}\n"
        if sheets:
            text += "\n" + "\n".join(SHEET).format(
                place=name, maker=_maker(number), n=[draw.randrange(11, 9999) for _ in range(6)]
            )
        found.append(SourceDocument(f"{number:05}.md", text, name))
    return [*found, *EXTRA]


def _maker(number: int) -> str:
    """Return a name; a larger collection has more of them, and no more to link in each document."""
    syllables = [SYLLABLES[number // 14**place % 14] for place in range(3)]
    return f"{''.join(syllables)}m".capitalize()


TABLE = """# Store list

The store of Quarrington keeps the parts below in four halls, counted in the spring of each year.

| part | mass |
|---|---|
| Rotor Q1 | 410 kilograms |
| Stator Q2 | 733 kilograms |
| Flange Q3 | 128 kilograms |
"""
EXTRA = (
    SourceDocument("table.md", TABLE, "Store list"),
    SourceDocument(
        "one.md",
        "# Yards\n\nThe Brevik yard in Norway closed its last dry dock in 2004. "
        "The yard of Brevik had 310 workers.\n",
        "Yards",
    ),
    SourceDocument(
        "two.md",
        "# Norway\n\nThe Brevik yard in Norway closed its last dry dock in 2006. "
        "The Brevik yard was the oldest of 12 yards.\n",
        "Norway",
    ),
    SourceDocument(
        "peaks.md",
        "# Peaks\n\nThe summit of Mount Everest stands at 8849 metres. "
        "The north face of Everest has claimed many ropes and 41 tents.\n",
        "Peaks",
    ),
)
