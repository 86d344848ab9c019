"""A reply that is off its form is taken if it can be read in one way only.

The output model of the prompt says what each value is to be; what is written differently is
rewritten to that, and the model is validated again:

- keys and closed sets of words in another case, or with spaces or hyphens for underscores;
- a number in words ("2", "Source 2"), numbers in one string ("1 and 2"), one number for a list;
- a list in place of the object that has it as its only list; an object for a list of one;
- an object inside another that has no other key;
- `OPTIONAL` fields that are missing or null;
- tool calls, entries one a line, maps by number, and numbers of entries that their order says;
- an example or a draft before the reply, if it is clear which of them is the reply.

Verdicts are never filled in, lists never padded or cut. Whether the reply answers all that was
asked is for the request to check.

JSON may stand in prose, code fences and thoughts. Commas before a closing bracket, comments and raw
newlines in strings are forgiven; nothing is completed. The work grows with the length of the text,
whatever it holds.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from types import EllipsisType
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

OutputT = TypeVar("OutputT", bound=BaseModel)

MOST_VALUES = 100
"""JSON values in one text; a reply has one, and perhaps an example or a draft before it."""

STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.|\\\Z)*"?|,(?=\s*[}\]])', re.DOTALL)
"""A string, if need be to the end of the text, or a comma before a closing bracket."""

COMMENT = r"//[^\n]*|#[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?"
STRING_OR_COMMENT = re.compile(rf'"(?:[^"\\]|\\.|\\\Z)*"?|{COMMENT}', re.DOTALL)
"""Likewise, or a comment, which JSON does not have; one with a quote or brace may hold a reply."""

THOUGHTS = re.compile(
    r"^\s*[<\[](think(?:ing)?|thoughts?|reasoning)[>\]].*?[<\[]/\1[>\]]|^(?!\s*[\[{`<\"]).*?</think>",
    re.DOTALL | re.IGNORECASE,
)
"""What reasoning models write before they answer; it may hold drafts of the reply."""

OBJECT = re.compile(r"\{")
OBJECT_OR_LIST = re.compile(r'\{|\[(?=\s*(?:[\[{"]|\][\s`.]*\Z))')
JSON_BEGINS = re.compile(r'\{\s*(?:["}#]|//|/\*)|\[')
BRACE = re.compile(r"[{}]")
FENCE = "```"
FENCE_FOLLOWS = re.compile(r"\s*```")


class JsonValue(NamedTuple):
    """A JSON value of a text: the text between it and the one before, and whether it is fenced."""

    value: object
    lead: str
    fenced: bool


def json_values(text: str, *, lists: bool = False) -> tuple[JsonValue, ...]:
    """Return the outermost objects of a text in order; with `lists`, its lists too.

    Braces of prose are passed over. A list counts only if it begins with a string, an object or a
    list, or is empty and the end of the text: `[1]` is how people cite.

    Raises:
        ValueError: An object is cut off or no JSON, or there are more than `MOST_VALUES`.
    """
    values = []
    for value in _values(THOUGHTS.sub("", text), OBJECT_OR_LIST if lists else OBJECT):
        values.append(value)
        if len(values) > MOST_VALUES:
            raise ValueError(f"more than {MOST_VALUES} JSON values; expected one object")
    return tuple(values)


def _values(text: str, opening: re.Pattern[str]) -> Iterator[JsonValue]:
    after, fences, forgiven = 0, 0, 0
    match = opening.search(text)
    while match is not None:
        at = match.start()
        if JSON_BEGINS.match(text, at) is None:
            match = opening.search(text, _after_prose(text, at))
            continue
        try:
            value, end = DECODER.raw_decode(text, at)
        except RecursionError:
            raise ValueError(TOO_DEEP) from None
        except ValueError:
            if forgiven == 3:
                raise
            odd = STRING_OR_COMMENT if forgiven == 1 else STRING_OR_COMMA
            whole = odd.sub(lambda m: m[0] if '"' in m[0] or "{" in m[0] else "", text[at:])
            text, forgiven = text[:at] + whole, forgiven + 1
            match = opening.match(text, at)
            continue
        lead = text[after:at]
        fences += lead.count(FENCE)
        fenced = fences % 2 == 1 and FENCE_FOLLOWS.match(text, end) is not None
        yield JsonValue(value, lead, fenced)
        after, match = end, opening.search(text, end)


def _after_prose(text: str, at: int) -> int:
    """Return the place after the brace that closes the one at `at`."""
    depth = 0
    for brace in BRACE.finditer(text, at):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.end()
    raise ValueError("a brace is never closed; was the reply cut off?")


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Return an object; a key that comes twice, with two values, is an error."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        for key, value in pairs:
            if fields[key] != value:
                raise ValueError(f"{key!r} comes twice in one object, with different values")
    return fields


TOO_DEEP = "the JSON is nested too deeply"

DECODER = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=_unique, strict=False)
"""Takes raw newlines in strings, which small models write; there is one way to read them."""

NOTES = frozenset({"bearing"})
"""Fields of texts that a model notes while it reads, and that nothing is taken from."""

OPTIONAL = NOTES | {"evidence", "faults", "history", "quote", "reason"}
"""Fields that explain a verdict and do not carry it, so that one may be empty: a text is "", a flag
`False`, a list (). `evidence` is among them because requests themselves refuse "supported" without
a sentence."""

EMPTY = frozenset({"", "-", "n/a", "na", "nil", "none", "null"})
"""What is written for an optional list of numbers that is empty."""

WRAPPERS = frozenset({"answer", "data", "json", "output", "reply", "response", "result", "results"})
"""Keys under which a list of texts is the reply; under any other it might be something else."""

MOST_WRAPPERS = 3
"""Objects around a reply, each with one key."""

CALLS = frozenset({"args", "arguments", "function", "input", "parameters"})
LABELS = frozenset({"callid", "function", "id", "index", "name", "tool", "toolname", "type"})
"""Keys of a tool call: under which its arguments stand, and what it has beside them."""

IDS = frozenset({"id", "index", "no", "nr", "number"})
"""Other keys of the number of an entry."""

NOUNS = "sources?|claims?|contexts?|texts?|passages?|documents?|sentences?|levels?|ids?|numbers?"
REFERENCE = rf"(?:(?:{NOUNS})[\s#:_]*)?-?\d{{1,9}}"
NUMBERS = re.compile(
    rf"[\s\[(#]*{REFERENCE}(?:(?:\s*[,;&]\s*|\s+and\s+){REFERENCE})*[\s\]).]*", re.IGNORECASE
)
NUMBER = re.compile(r"-?\d+")
LONGEST_NUMBERS = 200
"""Characters of a string of numbers; longer ones are prose."""

AROUND = " \t\r\n.!\"'`*"
"""What may stand around a word of a closed set."""

FINAL = re.compile(r"\b(?:final|corrected|revised)\b", re.IGNORECASE)
DRAFT = re.compile(r"\b(?:draft|example|sample|template)\b", re.IGNORECASE)
NOT = re.compile(r"\b(?:not|no|non)\b|n't\b", re.IGNORECASE)
LEAD = 80
"""Characters before an object in which it may be called final or a draft."""

FLAGS = {"true": True, "yes": True, "false": False, "no": False}


class Reading(NamedTuple):
    """What one JSON value of a text was read as; `None` if it does not fit the output model."""

    origin: JsonValue
    output: BaseModel | None


def read_leniently(text: str, output: type[OutputT], examples: Sequence[BaseModel] = ()) -> OutputT:
    """Return the reply that a text holds, if it is unambiguous.

    Args:
        text: What the model wrote.
        output: The output model of the prompt.
        examples: The replies that the prompt shows: before another one, they are echoes.

    Raises:
        ValueError: Nothing fits the output model (pydantic's `ValidationError`, if there is one
            object), or it is not clear which of several is the reply.
    """
    try:
        text = whole if isinstance(whole := _decoded(text), str) else text
        readings = [Reading(f, _as_object(f.value, output)) for f in json_values(text)]
        if all(reading.output is None for reading in readings):
            readings = _as_lists(json_values(text, lists=True), output)
        reading_output = _final(readings, examples)
        if isinstance(reading_output, output):
            return reading_output
        values = [reading.origin.value for reading in readings]
        if len(values) != 1:
            raise ValueError("expected one whole JSON object and nothing else")
        return output.model_validate(_rewritten(values[0], output))
    except RecursionError:
        raise ValueError(TOO_DEEP) from None


def _final(readings: Sequence[Reading], examples: Sequence[BaseModel]) -> BaseModel | None:
    """Return the last reading if it is clear that it is the reply; `None` if nothing fits.

    It is clear if all others that fit are the same or echo an example, if it alone stands in a
    code fence, or if the words before it call it final, or the others drafts or examples.
    """
    fitting = [reading for reading in readings if reading.output is not None]
    if not fitting:
        return None
    last = readings[-1]
    others = [
        other for other in fitting if other.output != last.output and other.output not in examples
    ]
    lead = last.origin.lead[-LEAD:]
    doubtful = bool(DRAFT.search(lead)) or last.output in examples
    clear = (
        not others
        or bool(FINAL.search(lead) and not NOT.search(lead) and not DRAFT.search(lead))
        or (last.origin.fenced and not doubtful and not any(o.origin.fenced for o in others))
        or (not doubtful and all(DRAFT.search(o.origin.lead[-LEAD:]) for o in others))
    )
    if last.output is None or not clear:
        raise ValueError(
            "it is not clear which JSON object is the reply; expected one whole object"
        )
    return last.output


def _as_object(value: object, output: type[BaseModel]) -> BaseModel | None:
    """Return a value, or what is inside it under single keys, as the output model."""
    for _ in range(MOST_WRAPPERS + 1):
        if not isinstance(value, dict):
            break
        read = _validated(_rewritten(value, output), output)
        if read is not None:
            return read
        key, value = _inside(value)
        if isinstance(value, list) and len(value) == 1:
            value = _argument(value[0])
        if DRAFT.search(key):
            break
    return None


def _inside(value: dict[str, object]) -> tuple[str, object]:
    """Return the only key of an object, or that of a tool call, and what stands there."""
    keys = [k for k, v in value.items() if _plain(k) not in LABELS or not isinstance(v, str | int)]
    if len(keys) != 1 or (len(value) > 1 and _plain(keys[0]) not in CALLS):
        return "", None
    return keys[0], _decoded(value[keys[0]]) if _plain(keys[0]) in CALLS else value[keys[0]]


def _argument(value: object) -> object:
    """Return the arguments of a tool call; what is none, as it is."""
    while isinstance(value, dict) and _plain((pair := _inside(value))[0]) in CALLS:
        value = pair[1]
    return value


def _decoded(value: object) -> object:
    """Return what a text holds as JSON; what is none, as it is."""
    try:
        return DECODER.decode(value.strip()) if isinstance(value, str) else value
    except ValueError:
        return value


def _as_lists(values: Sequence[JsonValue], output: type[BaseModel]) -> list[Reading]:
    """Return the readings of values as the only list of the output model.

    A value after a bracket of prose may be a part of something that is no JSON.
    """
    names = [name for name, field in output.model_fields.items() if _item(field.annotation)]
    bracketed = any("[" in json_value.lead for json_value in values)
    if len(names) != 1 or bracketed:
        return [Reading(json_value, None) for json_value in values]
    item = _item(output.model_fields[names[0]].annotation)
    together = not any(each.lead.strip(", \t\r\n") for each in values[1:])
    if len(values) > 1 and together and all(isinstance(each.value, dict) for each in values):
        values = [values[0]._replace(value=[each.value for each in values])]
    readings = []
    for json_value in values:
        entries = _entries(json_value.value, item, alone=len(values) == 1)
        given = None if entries is None else {names[0]: entries}
        read = None if given is None else _validated(_rewritten(given, output), output)
        readings.append(Reading(json_value, read))
    return readings


def _entries(value: object, item: Any, *, alone: bool) -> list[Any] | None:
    """Return the entries that a value stands for: a list, alone or under one key, or one object."""
    keys: list[str] = []
    while isinstance(value := _of_map(value), dict) and _inside(value)[0]:
        key, value = _inside(value)
        keys.append(key)
    if len(keys) > MOST_WRAPPERS or any(DRAFT.search(key) for key in keys):
        return None
    if isinstance(value, list):
        known = _is_model(item) or all(_plain(key) in WRAPPERS for key in keys)
        return list(map(_argument, value)) if known else None
    return [value] if alone and isinstance(value, dict) and _is_model(item) else None


def _validated(value: object, output: type[BaseModel]) -> BaseModel | None:
    try:
        return output.model_validate(value)
    except ValidationError:
        return None


def _rewritten(value: object, kind: Any) -> object:
    """Return a value as its type wants it; one that cannot be rewritten, as it is."""
    item = _item(kind)
    if _is_model(kind) and isinstance(value, dict):
        return _object(value, kind)
    if item is not None:
        return _list(value, item)
    if isinstance(value, str):
        if get_origin(kind) is Literal:
            return alike(value.strip(AROUND), get_args(kind)) or value
        if kind is int:
            numbers = _numbers(value)
            return numbers[0] if len(numbers) == 1 else value
        if kind is bool:
            return FLAGS.get(value.strip(AROUND).lower(), value)
    return value


def _object(value: dict[str, object], model: type[BaseModel]) -> dict[str, object]:
    """Return an object with the keys of the model, and its optional fields filled in.

    A list is taken for empty only if no key is left over that may be it by another name.
    """
    keys = {name: alike(name, value) for name in model.model_fields}
    unknown = set(value) - set(keys.values())
    fields = {key: value[key] for key in unknown if key not in keys}
    for name, field in model.model_fields.items():
        kind, key = field.annotation, keys[name]
        given = None if key is None else value[key]
        if given is not None:
            fields[name] = _rewritten(given, kind)
            if _item(kind) is str:
                fields[name] = _texts(fields[name], {"text", name.removesuffix("s")})
        if name not in OPTIONAL:
            continue
        if kind in (str, bool) and given is None:
            fields[name] = kind()
        elif _item(kind) and ((given is None and (key or not unknown)) or _is_empty(given)):
            fields[name] = []
    return fields


def _texts(value: object, keys: set[str]) -> object:
    """Return a list of texts that stand in objects by one of these keys, numbered or not."""
    texts = []
    for entry in value if isinstance(value := _of_map(value), list) else ():
        fields = entry.items() if isinstance(entry, dict) else ()
        pairs = [(key, text) for key, text in fields if _plain(key) not in IDS]
        texts.append(pairs[0][1] if len(pairs) == 1 and pairs[0][0] in keys else entry)
    return texts or value


def _number(text: object) -> int:
    """Return the number that a text consists of; -1 if it is none."""
    numbers = _numbers(str(text))
    return numbers[0] if len(numbers) == 1 else -1


def _of_map(value: object) -> object:
    """Return the entries of a map by number with their numbers; what is none, as it is."""
    if not value or not isinstance(value, dict) or any(_number(key) < 0 for key in value):
        return value
    pairs = [(key, value[key]) for key in sorted(value, key=_number)]
    return [{"number": k, **(v if isinstance(v, dict) else {"text": v})} for k, v in pairs]


def _with_numbers(entries: Sequence[object], item: Any) -> Sequence[object]:
    """Return entries with the numbers that stand under other keys or, if none do, by their order.

    Two numbers of one entry are none. An unknown key may be a number, or say what is meant.
    """
    by = getattr(item, "numbered_by", None)
    plain = [entry for entry in entries if isinstance(entry, dict)]
    if by is None or len(plain) < len(entries):
        return entries
    ids = {by, *IDS, *(by + name for name in IDS)}
    numbers = [{_number(e[k]) for k in e if _plain(k) in ids and e[k] is not None} for e in plain]
    known = {*map(_plain, item.model_fields), *ids, "reason"}
    if not any(numbers) and all(_plain(key) in known for entry in plain for key in entry):
        numbers = [{number} for number in range(1, len(plain) + 1)]
    pairs = zip(plain, numbers, strict=True)
    return [{**entry, by: next(iter(own)) if len(own) == 1 else None} for entry, own in pairs]


def _list(value: object, item: Any) -> object:
    """Return a list; of numbers one that is written as a number or a string, of objects as one."""
    value = _of_map(_decoded(value)) if _is_model(item) else value
    if isinstance(value, list):
        return [_rewritten(entry, item) for entry in _with_numbers(value, item)]
    if _is_model(item) and isinstance(value, dict):
        return [_rewritten(value, item)]
    if item is int:
        if isinstance(value, int) and not isinstance(value, bool):
            return [value]
        if isinstance(value, str):
            return _numbers(value) or value
    return value


def alike(text: str, words: Iterable[object]) -> str | None:
    """Return the only word that is a text in other letters; `None` if none or several are."""
    alike = [word for word in words if isinstance(word, str) and _plain(word) == _plain(text)]
    return alike[0] if len(alike) == 1 else None


def _numbers(value: str) -> list[int]:
    """Return the numbers that a string consists of, with a noun before them or not."""
    if len(value) > LONGEST_NUMBERS or NUMBERS.fullmatch(value) is None:
        return []
    return [int(number) for number in NUMBER.findall(value)]


def _plain(text: str) -> str:
    """Return a text in small letters, without spaces, hyphens and underscores."""
    return re.sub(r"[\s_-]", "", text).casefold()


def _is_empty(value: object) -> bool:
    return isinstance(value, str) and value.strip(AROUND).lower() in EMPTY


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _item(kind: Any) -> Any:
    """Return the type of the entries of a list; `None` if it is no list."""
    if get_origin(kind) not in (tuple, list):
        return None
    args = [arg for arg in get_args(kind) if not isinstance(arg, EllipsisType)]
    return args[0] if len(args) == 1 else None
