"""Judges with given replies, for the tests of metrics over claims."""

from llamaindex_rag_eval.judge import Claims, ClaimsOf, Support, SupportOf, SupportReply
from llamaindex_rag_eval.metrics.shared.claims import supports_of
from llamaindex_rag_eval.models import ScriptedOracle

REFERENCE = "The reference is a statement."
"""A short one would hold only some claims of a response against it."""
NAMES = {"res": "res", "ref": "ref", REFERENCE: "ref"}


def oracle_of(response, reference, verdicts):
    """Answer with these claims and, by (text judged, text judging), these rows of verdicts."""

    def claims(request):
        return Claims(claims={"res": response}.get(request.text, reference))

    def support(request):
        text = "res" if request.claims == response else "ref"
        by = NAMES.get(request.sources[0], "contexts")
        rows = supports_of(*verdicts[text, by])
        return SupportReply(
            verdicts=tuple(
                row.model_copy(update={"claim": claim})
                for row, claim in zip(rows, request.claims, strict=True)
            )
        )

    return ScriptedOracle(by_request={ClaimsOf: claims, SupportOf: support})


def supported(*verdicts):
    """A function that gives these verdicts on the claims it is asked about, in order."""

    def reply(request):
        assert len(request.claims) == len(verdicts)
        return SupportReply(
            verdicts=tuple(
                Support(
                    claim=claim,
                    verdict="supported" if yes else "not_mentioned",
                    sources=(0,) if yes else (),
                )
                for claim, yes in zip(request.claims, verdicts, strict=True)
            )
        )

    return reply
