"""English words and the words that say the same in any sentence a question may hold.

Written by hand from general knowledge of the language: common words, none taken from a corpus.
A pair stands here only if the second word can be put for the first in all its usual senses.
"""

__all__ = ["ADVERBS", "NOUNS", "QUALITIES", "VERBS"]

VERBS = """
found founded founded = establish established established
establish established established = set_up set_up set_up
construct constructed constructed = build built built
complete completed completed = finish finished finished
launch launched launched = start started started
commence commenced commenced = start started started
cease ceased ceased = stop stopped stopped
die died died = pass_away passed_away passed_away
purchase purchased purchased = buy bought bought
buy bought bought = purchase purchased purchased
require required required = need needed needed
permit permitted permitted = allow allowed allowed
allow allowed allowed = permit permitted permitted
assist assisted assisted = help helped helped
demonstrate demonstrated demonstrated = show showed shown
appoint appointed appointed = name named named
elect elected elected = choose chose chosen
demolish demolished demolished = tear_down tore_down torn_down
defeat defeated defeated = beat beat beaten
capture captured captured = seize seized seized
seize seized seized = capture captured captured
reside resided - = live lived -
depart departed - = leave left -
attend attended - = go_to went_to -
occur occurred - = happen happened -
reduce reduced reduced = lower lowered lowered
prohibit prohibited prohibited = ban banned banned
forbid forbade forbidden = ban banned banned
ban banned banned = prohibit prohibited prohibited
oppose opposed opposed = object_to objected_to objected_to
support supported supported = back backed backed
argue argued argued = maintain maintained maintained
manufacture manufactured manufactured = make made made
provide provided provided = supply supplied supplied
supply supplied supplied = provide provided provided
possess possessed possessed = own owned owned
operate operated operated = run ran run
administer administered administered = run ran run
govern governed governed = rule ruled ruled
dominate dominated dominated = control controlled controlled
resign resigned - = step_down stepped_down -
relocate relocated relocated = move moved moved
divide divided divided = split split split
connect connected connected = link linked linked
link linked linked = connect connected connected
transport transported transported = carry carried carried
imprison imprisoned imprisoned = jail jailed jailed
investigate investigated investigated = look_into looked_into looked_into
abolish abolished abolished = do_away_with did_away_with done_away_with
abandon abandoned abandoned = give_up gave_up given_up
postpone postponed postponed = put_off put_off put_off
cancel cancelled cancelled = call_off called_off called_off
reject rejected rejected = turn_down turned_down turned_down
exceed exceeded exceeded = surpass surpassed surpassed
surpass surpassed surpassed = exceed exceeded exceeded
request requested requested = ask_for asked_for asked_for
utilize utilized utilized = use used used
compose composed composed = write wrote written
conquer conquered conquered = take_over took_over taken_over
head headed headed = lead led led
surround surrounded surrounded = encircle encircled encircled
collect collected collected = gather gathered gathered
gather gathered gathered = collect collected collected
"""
"""Three forms (plain, past, participle) on each side; `-` for a form that is left as it is."""

NOUNS = """
area = region; region = area; country = nation; nation = country;
company = firm; firm = company; corporation = company; film = movie; movie = film;
war = conflict; purpose = aim; objective = goal; consequence = result;
technique = method; type = kind;
kind = type; sort = kind; percentage = share; proportion = share;
inhabitant = resident; resident = inhabitant; author = writer; writer = author;
physician = doctor; attorney = lawyer; profession = job; occupation = job; troops = soldiers;
soldiers = troops; monarch = ruler; illness = disease; concept = idea;
vessel = ship; ship = vessel; automobile = car; railway = railroad; journey = trip;
voyage = trip; revenue = income; opponent = rival;
enemy = foe; emblem = symbol;
regulation = rule; agreement = deal; prize = award; award = prize; victory = win;
assistance = help; velocity = speed;
aristocracy = nobility; nobility = aristocracy;
leader = head; scholar = academic; employee = worker; worker = employee;
wage = pay; supporter = backer;
summit = top; peak = top; route = way;
proof = evidence;
"""
"""Singular nouns; the plural adds an `s` by rule on both sides."""

QUALITIES = """
largest = biggest; biggest = largest; principal = main;
chief = main; entire = whole; important = significant;
significant = important; famous = well-known; renowned = celebrated; rapid = quick;
annual = yearly; wealthy = rich; difficult = hard; huge = enormous; enormous = huge;
additional = further; crucial = vital; essential = vital;
quickest = fastest;
wealthiest = richest; foremost = leading;
required = needed; necessary = needed;
most common = most widespread; prominent = well-known; vast = huge;
"""
"""Adjectives; matched after an article or a form of "be" alone, so that no term is broken up."""

ADVERBS = """
approximately = about; roughly = about; frequently = often; often = frequently;
usually = normally; commonly = usually; generally = usually; mainly = mostly;
primarily = mostly; mostly = mainly; currently = at present; subsequently = later;
annually = every year; originally = at first; initially = at first; entirely = completely;
prior to = before; due to = because of; in order to = to; amongst = among; adjacent to = next to;
located = situated; situated = located; result in = lead to; lead to = result in;
resulted in = led to; participate in = take part in; participated in = took part in;
regarded as = seen as;
viewed as = seen as; depend on = rely on; rely on = depend on;
account for = make up; take place = happen; took place = happened;
nearly = almost; almost = nearly; rapidly = quickly; formerly = previously;
particularly = especially; solely = only; beneath = under;

"""
"""Adverbs and fixed phrases, which have one form."""
