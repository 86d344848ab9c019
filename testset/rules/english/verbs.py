"""English verbs: from the form in the text to the infinitive, for questions with `do`.

A closed list, because a wrong guess ("When did Luther publishe ...") spoils a question, and a
verb that is not known only costs one candidate.
"""

from functools import cache
from typing import NamedTuple

__all__ = ["Verb", "verb_of"]

_REGULAR = """
abandon abolish accept access accompany accomplish account accuse achieve acquire act adapt add
address adjust administer admit adopt advance advise affect agree aim allow alter announce
answer appear apply appoint approach approve argue arrange arrest arrive ask assemble assert
assign assist associate assume attach attack attain attempt attend attract attribute avoid award
ban base become belong block board boost borrow calculate call cancel capture carry cause
celebrate change charge charter claim close collaborate collapse collect combine command
commence comment commission commit compare compete compile complete comprise conclude conduct
confirm connect conquer consider consist construct consume contact contain continue contract
contribute control convert convince cooperate cover create criticize cross damage deal debut
decide declare decline decrease defeat defend define delay deliver demand demonstrate deny
depart depend derive describe design destroy detect determine develop devise differ direct
disappear discover discuss display distribute divide dominate donate draft earn educate elect
elevate eliminate embrace emerge employ enable encounter encourage end endorse enforce engage
enjoy enlist ensure enter escape establish estimate evaluate evolve examine exceed exchange
execute exercise exhibit exist expand expect expel experience explain explore export express
extend face facilitate fail feature fire fix flow focus follow force form found function fund
gain generate govern graduate grant guarantee guide handle happen head help host house identify
ignore illustrate immigrate impact implement import impose improve include incorporate increase
indicate influence inform inherit initiate inspire install instruct integrate intend introduce
invade invent invest investigate invite involve isolate issue join jump kill land last launch
lead learn leave liberate limit link list live locate love lower maintain manage manufacture
march mark marry measure merge migrate modify monitor move name need negotiate nominate note
notice object observe obtain occupy occur offer open operate oppose order organize originate
outline overlook own participate partner pass patent perform permit persuade place plan plant
play point possess post predict prefer premiere prepare present preserve preside prevent print
produce progress prohibit project promise promote propose protect prove provide publish pull
purchase pursue push qualify question raise rank reach react realize receive recognize recommend
record recover recruit redesign reduce refer reform refuse regard register reject relate release
rely remain remember remove rename render renew repair repeat replace reply report represent
request require rescue research reside resign resist resolve respond rest restore result retain
retire retreat return reveal reverse review revise reward rule sail save schedule score seek
select separate serve settle shape share ship show sign sink solve sponsor stage start state
stay stop store strengthen study submit succeed suffer suggest supply support surrender surround
survive suspect suspend switch talk target test touch trace trade train transfer transform
translate transport travel treat trigger try turn unify unite unveil update use utilize value
vary view visit vote vow wait walk want warn watch weigh welcome witness work worry yield
"""

_IRREGULAR = """
arise:arose:arisen bear:bore:borne beat:beat:beaten become:became:become begin:began:begun
bind:bound:bound break:broke:broken bring:brought:brought broadcast:broadcast:broadcast
build:built:built burn:burned:burned buy:bought:bought catch:caught:caught choose:chose:chosen
come:came:come cost:cost:cost cut:cut:cut deal:dealt:dealt die:died:died draw:drew:drawn
drive:drove:driven eat:ate:eaten fall:fell:fallen feed:fed:fed feel:felt:felt
fight:fought:fought find:found:found flee:fled:fled fly:flew:flown forbid:forbade:forbidden
gain:gained:gained get:got:gotten give:gave:given go:went:gone grow:grew:grown hang:hung:hung
have:had:had hear:heard:heard hide:hid:hidden hit:hit:hit hold:held:held keep:kept:kept
know:knew:known lay:laid:laid lead:led:led leave:left:left lend:lent:lent let:let:let
lie:lay:lain lose:lost:lost make:made:made mean:meant:meant meet:met:met
overcome:overcame:overcome pay:paid:paid prove:proved:proven put:put:put read:read:read
ride:rode:ridden ring:rang:rung rise:rose:risen run:ran:run say:said:said see:saw:seen
seek:sought:sought sell:sold:sold send:sent:sent set:set:set shake:shook:shaken shoot:shot:shot
show:showed:shown shut:shut:shut sing:sang:sung sink:sank:sunk sit:sat:sat sleep:slept:slept
speak:spoke:spoken spend:spent:spent split:split:split spread:spread:spread stand:stood:stood
steal:stole:stolen strike:struck:struck swear:swore:sworn swim:swam:swum take:took:taken
teach:taught:taught tell:told:told think:thought:thought throw:threw:thrown
undergo:underwent:undergone understand:understood:understood undertake:undertook:undertaken
wear:wore:worn win:won:won withdraw:withdrew:withdrawn write:wrote:written
"""

_VOWELS = "aeiou"
_DOUBLED = frozenset({"admit", "commit", "ban", "plan", "stop", "ship", "refer", "expel", "permit"})


class Verb(NamedTuple):
    """A finite form: its infinitive, and whether it is past (else third person present)."""

    base: str
    past: bool


@cache
def _pasts() -> dict[str, str]:
    """Return past form -> infinitive; "found" is the past of "find", "founded" of "found"."""
    irregular = {entry.split(":")[1]: entry.split(":")[0] for entry in _IRREGULAR.split()}
    bases = {entry.split(":")[0] for entry in _IRREGULAR.split()}
    regular = {_regular_past(base): base for base in _REGULAR.split() if base not in bases}
    unclear = {"cut", "hit", "let", "put", "read", "set", "shut", "split", "spread", "cost"}
    return {form: base for form, base in {**regular, **irregular}.items() if form not in unclear}


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLED else "") + "ed"


@cache
def _presents() -> dict[str, str]:
    bases = {*_REGULAR.split(), *(entry.split(":")[0] for entry in _IRREGULAR.split())}
    return {_third_person(base): base for base in bases}


def _third_person(base: str) -> str:
    if base == "have":
        return "has"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


@cache
def participles() -> dict[str, str]:
    """Return past participle -> past form: "written" -> "wrote", "designed" -> "designed"."""
    irregular = {entry.split(":")[2]: entry.split(":")[1] for entry in _IRREGULAR.split()}
    bases = {entry.split(":")[0] for entry in _IRREGULAR.split()}
    regular = {
        _regular_past(base): _regular_past(base) for base in _REGULAR.split() if base not in bases
    }
    return {**{form: form for form in regular}, **irregular}


def verb_of(form: str) -> Verb | None:
    """Return the verb a word form belongs to, if it is a known finite form.

    Example:
        >>> verb_of("wrote"), verb_of("contains"), verb_of("table")
        (Verb(base='write', past=True), Verb(base='contain', past=False), None)
    """
    if form in _pasts():
        return Verb(_pasts()[form], True)
    if form in _presents():
        return Verb(_presents()[form], False)
    return None
