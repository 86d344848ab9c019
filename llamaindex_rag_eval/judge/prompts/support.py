"""How a model is asked which sources support which claims."""

from typing import Literal

from llamaindex_rag_eval.judge.prompts.parts import Numbered, Wire
from llamaindex_rag_eval.models.prompt import Example, Prompt

__all__ = ["SUPPORT", "SupportInput", "SupportOutput", "SupportVerdict"]


class SupportInput(Wire):
    """Sources first: what is the same from call to call is what a provider's cache can keep."""

    sources: tuple[Numbered, ...]
    claims: tuple[Numbered, ...]


class SupportVerdict(Wire):
    """The verdict on one claim."""

    claim: int
    reason: str
    verdict: Literal["supported", "contradicted", "not_mentioned"]
    supported_by: tuple[int, ...]
    together: bool
    contradicted_by: tuple[int, ...]
    quote: str


class SupportOutput(Wire):
    """One verdict for each claim."""

    verdicts: tuple[SupportVerdict, ...]


SUPPORT = Prompt[SupportInput, SupportOutput](
    name="support",
    instruction="""\
For each of `claims`, decide whether `sources` support it. Use the sources alone, not what you know.
- supported: everything in the claim follows from the sources, numbers, names and conditions included. `supported_by` lists the ids of all sources that support it; `together` is true if it takes several of them at once.
- contradicted: a source says otherwise. `contradicted_by` lists those sources, also where another source supports the claim.
- not_mentioned: neither; also where only part of the claim is borne out.
- `reason` first, in at most 15 words. `quote` is the shortest decisive passage, copied word for word from one source; empty if there is none.
- Give exactly one verdict for each claim, in order of their ids.""",
    input=SupportInput,
    output=SupportOutput,
    examples=(
        Example(
            input=SupportInput(
                sources=(
                    Numbered(id=1, text="The Orla ferry carries 120 passengers and 14 cars."),
                    Numbered(id=2, text="Since 2019 the Orla ferry runs on batteries."),
                ),
                claims=(
                    Numbered(id=1, text="The Orla ferry can take 120 passengers."),
                    Numbered(id=2, text="The Orla ferry has room for 40 cars."),
                    Numbered(id=3, text="The battery-driven Orla ferry carries 14 cars."),
                    Numbered(id=4, text="The Orla ferry was built in Norway."),
                ),
            ),
            output=SupportOutput(
                verdicts=(
                    SupportVerdict(
                        claim=1,
                        reason="Source 1 gives 120 passengers.",
                        verdict="supported",
                        supported_by=(1,),
                        together=False,
                        contradicted_by=(),
                        quote="carries 120 passengers",
                    ),
                    SupportVerdict(
                        claim=2,
                        reason="Source 1 says 14 cars, not 40.",
                        verdict="contradicted",
                        supported_by=(),
                        together=False,
                        contradicted_by=(1,),
                        quote="14 cars",
                    ),
                    SupportVerdict(
                        claim=3,
                        reason="Batteries from source 2, 14 cars from source 1.",
                        verdict="supported",
                        supported_by=(1, 2),
                        together=True,
                        contradicted_by=(),
                        quote="runs on batteries",
                    ),
                    SupportVerdict(
                        claim=4,
                        reason="No source says where it was built.",
                        verdict="not_mentioned",
                        supported_by=(),
                        together=False,
                        contradicted_by=(),
                        quote="",
                    ),
                )
            ),
        ),
    ),
)
