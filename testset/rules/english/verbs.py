"""English verbs: from the form in the text to the infinitive, for questions with `do`.

A closed list, because a wrong guess ("When did Luther publishe ...") spoils a question, and a
verb that is not known only costs one candidate.
"""

from functools import cache
from typing import NamedTuple

__all__ = ["Verb", "participles", "third_person", "verb_of"]

_REGULAR = """
abandon abduct abolish absorb accelerate accept access acclaim accommodate accompany accomplish
account accumulate accuse achieve acknowledge acquire act activate adapt add address adhere
adjourn adjust administer admit adopt adorn advance advertise advise advocate affect agree aid aim
air align allege allocate allow alter alternate amass amend amount analyse analyze anger annex
annihilate announce annul answer anticipate apologize appeal appear appease applaud apply appoint
approach approve arch archive argue arm arrange arrest arrive ask assassinate assault assemble
assert assess assign assimilate assist associate assume assure attach attack attain attempt attend
attest attract attribute auction audition author authorize avert avoid await awaken award back
balance ban banish baptize base battle become beg belong benefit bequeath besiege betray blame
blend bless block bloom board bomb boost borrow botch boycott brand breach brew bribe bridge brief
bury calculate call campaign cancel capture carry cater cause cease cede celebrate censor chair
challenge change charge chart charter christen circulate cite claim clarify classify clean clear
climb clinch close coach coat coin coincide collaborate collapse collect collide colonize combine
comfort command commemorate commence comment commission commit communicate compare compel
compensate compete compile complain complement complete compliment comply compose compress
comprise compromise conceal concede conceive concentrate conclude condemn condense conduct confirm
conform confront connect conquer conserve consider consist consolidate construct consult consume
contact contain contend contest continue contract contrast contribute control convene convert
convey convince cook cooperate copy correct correspond corrupt counter couple cover crash create
criticize cross crown crush cultivate cure damage dance date debut deceive decide decipher declare
decline decorate decrease dedicate deem deepen defeat defect defend define delay delegate deliver
demand demolish demonstrate demote denounce deny depart depend depict deplete deploy deport depose
deprive derive descend describe desert deserve design designate destine destroy detect deteriorate
determine devastate develop devise devote diagnose dictate differ diminish dine direct disagree
disappear disband discard discharge disclose discontinue discourage discover discuss disguise
dismiss dispatch disperse displace display dispute disrupt dissolve distinguish distort distract
distribute diversify divert divide divorce document dominate donate double download draft drain
dress drop drown dry dub dwell earn ease echo edit educate eject elaborate elapse elect elevate
elicit eliminate embark embed embrace emerge emigrate emit emphasize employ enable enact enclose
encounter encourage end endanger endorse endure enforce engage enhance enjoy enlarge enlist enrich
enrol enroll ensure enter entertain entitle equal equip eradicate erase erect erode erupt escalate
escape establish estimate evacuate evade evaluate evict evoke evolve examine excavate exceed excel
exchange exclude excuse execute exempt exercise exert exhaust exhibit exile exist exit expand
expect expel experience expire explain explode exploit explore export expose express extend
extract face facilitate fade fail falsify fashion fasten favor favour feature ferment ferry file
fill film finance finish fire fix flank float flood flourish flow focus foil fold follow force
forge form foster found fracture frame free frighten fuel fulfil fulfill function fund furnish
fuse gain gather generate glow govern grade graduate grant guarantee guess guide halt handle
happen harbor harm harvest hasten head heal heat help hinder hire honor honour host house hunt
identify ignite ignore illustrate immigrate impact implement import impose impress imprison
improve inaugurate incite include incorporate increase incur indicate induce infect infer inflict
influence inform inhabit inherit inhibit initiate injure innovate inscribe insert insist inspire
install instruct insulate insult insure integrate intend intensify interact intercept interfere
intermarry interpret interrupt intervene interview introduce invade invent invest investigate
invite invoke involve isolate issue jeopardize join journey jump justify kidnap kill label lack
lament land last launch lead learn lease leave lecture legalize lengthen liberate liken limit link
list live load lobby locate lodge loot love lower lure mail maintain malfunction manage mandate
manipulate manufacture map march marginalize mark marry measure mention merge merit migrate mine
miss mix mobilize model modernize modify monitor motivate mount move multiply murder name narrate
narrow nationalize need negotiate nominate note notice nurture obey object observe obstruct obtain
occupy occur offend offer omit open operate oppose orbit order organize originate oust outlaw
outline outnumber outperform outrank overlook overrule own pack paint pardon park participate
partner pass patent pave penetrate perceive perform permit persecute persist persuade phase
photograph pioneer place plan plant play plead pledge plot plunder plunge point poison pollute
populate portray pose possess post postpone pour power practice practise praise preach precede
predate predict prefer premiere prepare present preserve preside pressure presume prevent print
privatize probe process proclaim procure produce profit progress prohibit project prolong promise
promote propagate propel propose prosecute prosper protect prove provide provoke prune publicize
publish pull punish purchase purge pursue push qualify question quote race radiate raid raise
rally rank ratify reach react reaffirm realign realize reassure rebel recall receive recite reckon
reclaim recognise recognize recommend reconcile reconstruct record recount recover recruit recycle
redefine redesign redirect rediscover reduce reelect reestablish refer refine reflect reform
refurbish refuse regain regard register regulate reign reinforce reinstate reiterate reject relate
release relieve relocate rely remain remark remember remodel remove rename render renew reopen
reorganize repair repeal repeat repel replace reply report represent reproduce request require
rescue research resemble reserve reshape reside resign resist resolve respond rest restore result
resume retain retaliate retire retreat return reunite reveal reverse revert review revise revive
revolt revolutionize revolve reward ridicule rotate rule sack sacrifice sail salute sanction
satisfy save scan scatter schedule score secede secrete secure seek seize select sense sentence
separate serve settle shape share shelter shelve shift ship shock shorten show sign signal silence
simplify simulate sink situate slip slow smell smuggle snow soar socialize solidify solve sort
sound span spark specialise specialize specify speculate sponsor stab stabilize stage start state
stay stem step stimulate stipulate stop store storm straddle strand strengthen stretch strip
structure study stun subdue subject submit subsidize substitute succeed suffer suffice suggest
summon supersede supervise supplement supply support suppress surrender surround survive suspect
suspend sustain swallow switch symbolize tackle talk target taste tax team tend terminate test
testify thank threaten thrive tie tighten tolerate top topple torture total touch tour trace track
trade train transcend transfer transform transit translate transmit transpire transport trap
travel treat trigger trouble try turn twist uncover undermine unify unite unveil update urge use
utilize vacate value vanish vary venture verify veto view violate visit volunteer vote vow wait
walk wander want warn warrant watch weaken weigh welcome widen wish witness work worry wound wreck
yield
"""

_IRREGULAR = """
arise:arose:arisen bear:bore:borne beat:beat:beaten become:became:become begin:began:begun
bind:bound:bound break:broke:broken bring:brought:brought broadcast:broadcast:broadcast
build:built:built burn:burned:burned buy:bought:bought catch:caught:caught choose:chose:chosen
come:came:come cost:cost:cost cut:cut:cut deal:dealt:dealt die:died:died draw:drew:drawn
drive:drove:driven eat:ate:eaten fall:fell:fallen feed:fed:fed feel:felt:felt
fight:fought:fought find:found:found flee:fled:fled fly:flew:flown forbid:forbade:forbidden
freeze:froze:frozen
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
oversee:oversaw:overseen overthrow:overthrew:overthrown
rebuild:rebuilt:rebuilt retake:retook:retaken shrink:shrank:shrunk sweep:swept:swept
uphold:upheld:upheld wear:wore:worn win:won:won withdraw:withdrew:withdrawn
withhold:withheld:withheld write:wrote:written
"""

_VOWELS = "aeiou"
_DOUBLED_WORDS = """
admit ban commit compel drop emit enrol excel expel incur infer omit patrol permit plan plot
program propel rebel refer regret repel ship stab step stem stop strip stun submit swap trap
transmit scan slip top
"""
_DOUBLED = frozenset(_DOUBLED_WORDS.split())


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
    return {third_person(base): base for base in bases}


def third_person(base: str) -> str:
    """Return the present of an infinitive that follows "he": "carry" -> "carries"."""
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
