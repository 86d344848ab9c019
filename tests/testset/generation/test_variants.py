"""Variants: what people type in place of a question, and what is turned down."""

import asyncio
from random import Random

import pytest

from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, SingleTurnSample
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.models import ScriptedOracle
from llamaindex_rag_eval.models.dry_run import dry_run_of
from llamaindex_rag_eval.models.usage import Usage
from testset import Variants, awith_variants, with_variants
from testset.generation.variants import key_words, mistyped
from testset.requests.rewording import Differences, Reworded, RewordingOf, SameQuestionOf
from testset.rules.language import languages

QUESTION = "How many valves does the VT-480 of Ito GmbH have without its base?"


def sample(query: str) -> SingleTurnSample:
    return SingleTurnSample(id="q", query=query, reference="12")


def texts(variants: Variants) -> dict[str, str]:
    return {
        str(entry.metadata["variant"]): entry.query
        for entry in variants.samples
        if isinstance(entry, SingleTurnSample)
    }


def test_a_question_is_asked_as_people_do_with_its_reference_and_its_id() -> None:
    variants = with_variants([sample(QUESTION)])
    worded = texts(variants)
    assert list(worded) == ["as_written", "typos", "lower_case", "key_words", "polite"]
    assert worded["lower_case"] == QUESTION.lower()
    assert worded["key_words"] == "many valves VT-480 of Ito GmbH without base"
    assert QUESTION in worded["polite"]
    assert [entry.id for entry in variants.samples][:2] == ["q", "q~typos"]
    assert {entry.metadata["variant_of"] for entry in variants.samples} == {"q"}
    assert {getattr(entry, "reference", "") for entry in variants.samples} == {"12"}


@pytest.mark.parametrize(
    "question",
    [
        QUESTION,
        "Is `max_retries` of Flask five seconds or ten minutes by default?",
        "Wie hoch ist die Gebühr von 12 Euro für „ganz neue Kunden“ ohne Rabatt?",
    ],
)
def test_typos_change_a_word_and_no_name_value_identifier_quote_or_negation(question: str) -> None:
    for seed in range(50):
        typed = mistyped(question, Random(seed))
        changed = [
            word
            for word, other in zip(question.split(), typed.split(), strict=True)
            if word != other
        ]
        assert 1 <= len(changed) <= 2
        held = "VT-480 Ito GmbH without max_retries five ten seconds minutes 12 Euro ganz neue ohne"
        assert not [word for word in changed if word.strip("`„“?") in held.split()]


def test_the_same_seed_gives_the_same_typos_and_another_one_others() -> None:
    def typos(seed: int) -> str:
        return texts(with_variants([sample(QUESTION)], seed=seed))["typos"]

    assert typos(1) == typos(1)
    assert len({typos(seed) for seed in range(10)}) > 1


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("水泵的重量是多少公斤？", ["as_written", "polite"]),
        ("TiDBの最大サイズは何ですか？", ["as_written", "lower_case", "polite"]),
        ("¿Cuánto cuesta el plan?", ["as_written", "typos", "lower_case", "key_words", "polite"]),
    ],
)
def test_only_kinds_that_make_sense_in_a_language(question: str, kinds: list[str]) -> None:
    assert list(texts(with_variants([sample(question)]))) == kinds


def test_key_words_that_would_be_one_word_or_all_of_them_are_none() -> None:
    assert key_words("What is it?", languages()["en"]) == ""
    assert key_words("pump weight", languages()["en"]) == ""


def test_a_model_words_a_question_otherwise_and_checks_what_leaves_out_words() -> None:
    oracle = ScriptedOracle(
        by_request={
            RewordingOf: Reworded(
                other_words="If the base is not there, what is the number of valves of a VT-480 "
                "of Ito GmbH?",
                other_language="Wie viele Ventile hat der VT-480 der Ito GmbH ohne Sockel?",
            ),
            SameQuestionOf: Differences(texts=("of a base", "", "")),
        }
    )
    variants = with_variants([sample(QUESTION)], oracle=oracle)
    assert list(texts(variants)) == [
        *("as_written", "typos", "lower_case", "polite", "other_words", "other_language")
    ]
    assert variants.turned_down == ("'many valves VT-480 of Ito GmbH without base': of a base",)
    assert oracle.asked[0] == RewordingOf(question=QUESTION, language="German")


@pytest.mark.parametrize(
    ("worded", "reason"),
    [
        ("How many valves does the VT-490 of Ito GmbH have without base?", "'VT-480'"),
        ("How many valves does the VT-480 of Ito GmbH have with its base?", "a negation"),
        ("How many valves does the VT-480 have without its base?", "'ito' is left out"),
    ],
)
def test_another_number_name_or_negation_is_turned_down_unasked(worded: str, reason: str) -> None:
    reworded = Reworded(other_words=worded, other_language="12 Ventile?")
    oracle = ScriptedOracle(
        by_request={RewordingOf: reworded, SameQuestionOf: Differences(texts=("",))}
    )
    variants = with_variants([sample(QUESTION)], oracle=oracle)
    assert "other_words" not in texts(variants)
    assert any(reason in entry for entry in variants.turned_down)


def test_a_reply_that_cannot_be_used_loses_the_wordings_of_the_model_alone() -> None:
    oracle = ScriptedOracle(
        by_request={
            RewordingOf: ReplyError("no JSON"),
            SameQuestionOf: Differences(texts=("",)),
        }
    )
    variants = with_variants([sample(QUESTION)], oracle=oracle)
    assert "key_words" in texts(variants)
    assert variants.turned_down == (f"{QUESTION!r}: no JSON",)


def test_a_check_that_cannot_be_used_turns_down_what_leaves_out_words() -> None:
    reworded = Reworded(other_words=f"Say: {QUESTION}", other_language=f"Sag: {QUESTION}")
    oracle = ScriptedOracle(
        by_request={RewordingOf: reworded, SameQuestionOf: ReplyError("no JSON")}
    )
    variants = with_variants([sample(QUESTION)], oracle=oracle)
    assert list(texts(variants)) == ["as_written", "typos", "lower_case", "polite"]
    assert len(variants.turned_down) == 3


def test_a_dry_run_counts_two_calls_a_question_and_all_its_variants() -> None:
    usage = Usage()
    variants = asyncio.run(
        awith_variants([sample(QUESTION)], oracle=dry_run_of(ScriptedOracle(), usage))
    )
    assert usage.total.calls == 2
    assert len(variants.samples) == 7


def test_a_conversation_has_no_variants() -> None:
    talk = MultiTurnSample(id="t", messages=(Message(role="user", content=QUESTION),))
    assert [entry.id for entry in with_variants([talk]).samples] == ["t"]
