"""German questions over English documents, through the whole pipeline."""

from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import generate


def test_a_model_writes_in_another_language_than_the_documents():
    with LoopbackServer(responders="tests.server.writer_responders:IN_GERMAN") as server:
        golden = generate(
            documents(16),
            size=6,
            types=["single_hop"],
            language="de",
            judge=oracle_at(server),
        )
    assert len(golden) == 6
    for item in golden:
        assert item.axes.language == "de"
        assert item.question.startswith("Was ist zu ")
        assert item.checks["retrievable"].evidence == "asked in another language"
        assert {check.verdict for check in item.checks.values()} == {"passed"}


def test_a_model_that_stays_in_the_language_of_the_documents_is_told_so():
    with LoopbackServer(responders="tests.server.writer_responders:FAULTLESS") as server:
        golden = generate(
            documents(8), size=2, types=["single_hop"], language="de", judge=oracle_at(server)
        )
    reasons = {entry.evidence for entry in golden.rejected if entry.check == "lint"}
    assert reasons == {"the language is not 'de'"}
