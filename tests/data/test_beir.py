import pytest

from llamaindex_rag_eval import EvaluationDataset
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.metrics.ranking import Ndcg

QUERIES = '{"_id": "q1", "text": "How fast?"}\n{"_id": "q2", "text": "Unjudged?"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t1\nq1\td3\t0\n"


def folder(tmp_path, queries=QUERIES, qrels=QRELS):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "queries.jsonl").write_text(queries)
    (tmp_path / "qrels" / "test.tsv").write_text(qrels)
    return tmp_path


async def test_a_beir_folder_is_read_with_its_gains(tmp_path):
    (sample,) = EvaluationDataset.read(folder(tmp_path))
    assert (sample.id, sample.query) == ("q1", "How fast?")
    assert dict(zip(sample.reference_context_ids, sample.reference_gains, strict=True)) == {
        "d1": 2,
        "d2": 1,
    }
    answered = sample.model_copy(update={"context_ids": ("d1", "d2")})
    assert (await Ndcg().result(answered)).score == 1
    copied = EvaluationDataset([sample]).write(tmp_path / "copy.csv")
    assert EvaluationDataset.read(copied)[0] == sample


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"queries": '{"_id": 1}\n'}, "queries.jsonl.*1.*'_id' and 'text'"),
        ({"qrels": "head\nq1 d1 1\n"}, "test.tsv.*2.*between tabs"),
        ({"qrels": "head\nq1\td1\tnan\n"}, "between tabs"),
    ],
)
def test_a_line_of_another_form_is_named(tmp_path, files, message):
    with pytest.raises(DatasetError, match=message):
        EvaluationDataset.read(folder(tmp_path, **files))


def test_a_folder_without_judgements_is_refused(tmp_path):
    with pytest.raises(DatasetError, match="cannot be read"):
        EvaluationDataset.read(tmp_path)
