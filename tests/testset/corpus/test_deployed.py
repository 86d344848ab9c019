"""What a deployed retriever finds is located in the documents, counted, and asked once."""

from contextlib import closing

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from llamaindex_rag_eval.engines.retrieval import named_retriever
from llamaindex_rag_eval.errors import EngineError
from llamaindex_rag_eval.models import Store
from testset import SourceDocument
from testset.corpus.deployed import PROBES, DeployedSearch
from testset.corpus.index import CorpusIndex
from testset.corpus.placing import NodePlaces

GUIDE = SourceDocument(
    "manual/guide.md",
    "# Guide\n\nPress **Start** and [wait](a.html) for 5 minutes.\n\n## Rest\n\nThen sleep.",
)
COPY = SourceDocument("other/guide.md", "# Another\n\nThe other guide tells of lamps.")
INDEX = CorpusIndex.of([GUIDE, COPY])


class Listed(BaseRetriever):
    """Finds the same nodes for every question, and remembers the questions."""

    def __init__(self, *nodes: TextNode) -> None:
        super().__init__()
        self.nodes = nodes
        self.asked: list[str] = []

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        self.asked.append(query_bundle.query_str)
        return [NodeWithScore(node=node) for node in self.nodes]


def placed(text: str, **fields: object) -> str | None:
    place = NodePlaces(INDEX).locate(TextNode.model_validate({"text": text, **fields}))
    if place is None:
        return None
    return f"{place[0]}: {INDEX.documents[place[0]].text[place[1] : place[2]]}"


@pytest.mark.parametrize(
    "metadata",
    [
        {"doc_id": "manual/guide.md"},
        {"file_path": "/srv/docs/manual/guide.md"},
        {"file_path": "C:\\docs\\manual\\guide.md"},
        {"file_name": "guide.md"},
        {},
    ],
)
def test_a_node_is_found_by_the_name_of_its_document_or_by_its_text(metadata):
    assert placed("Then sleep.", metadata=metadata) == "manual/guide.md: Then sleep."


def test_a_node_without_the_marks_of_its_document_is_found_where_a_reader_sees_it():
    found = placed("Press Start and\nwait for 5 minutes.", metadata={"file_name": "guide.md"})
    assert found == "manual/guide.md: Press **Start** and [wait](a.html) for 5 minutes."


def test_a_part_of_the_source_of_a_page_is_found_in_what_the_page_shows():
    source = 'class="x">Press <b>Start</b> and <a href="a.html">wait</a> for 5&nbsp;minutes.</p>'
    found = placed(source, metadata={"file_name": "guide.md"})
    assert found == "manual/guide.md: Press **Start** and [wait](a.html) for 5 minutes."


def test_a_text_that_no_document_holds_is_placed_nowhere():
    assert placed("A summary by a model: start, wait, sleep, and repeat.") is None
    assert placed("Then sleep.", metadata={"doc_id": "other/guide.md"}) is None
    assert placed(" ") is None


async def test_a_question_is_asked_once_in_a_run_and_its_resumption(tmp_path):
    nodes = TextNode(text="Then sleep."), TextNode(text="Nothing of the kind.")
    with closing(Store(tmp_path / "journal")) as store:
        asked = Listed(*nodes)
        search = DeployedSearch(named_retriever(asked), INDEX, store)
        found = await search.find("What then?")
        assert await search.find("What then?") == found
    *tried, question = asked.asked  # what it was tried out with, and the question once
    assert (len(tried), question) == (PROBES, "What then?")
    assert (found.passages, found.lost) == ((1,), 1)
    assert search.summary["nodes in no document"] == "1"
    with closing(Store(tmp_path / "journal")) as store:
        silent = Listed()
        again = DeployedSearch(named_retriever(silent), INDEX, store)
        assert (await again.find("What then?")).spans == found.spans
        assert again.summary == {**search.summary, "retriever": "Listed"}
        assert silent.asked == []
        await DeployedSearch(named_retriever(silent), INDEX, store, "others").find("What then?")
    assert silent.asked[PROBES:] == ["What then?"]


async def test_a_retriever_over_other_documents_is_refused_before_anything_is_written():
    elsewhere = named_retriever(Listed(TextNode(text="Tigers sleep all day in the shade.")))
    with pytest.raises(EngineError, match="none of the 3 nodes that 'Listed' found"):
        await DeployedSearch(elsewhere, INDEX).probe()
    await DeployedSearch(named_retriever(Listed()), INDEX).probe()
