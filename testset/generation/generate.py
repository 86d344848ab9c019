"""The generator: documents in, a golden set out.

Documents are prepared, quotas planned, questions written and checked, and splits drawn. A model
writes and verifies; without one, rules ask for what recurs in labels and tables.
"""

from typing import Unpack

from llamaindex_rag_eval._sync import run_sync
from testset.corpus.documents import Documents
from testset.generation.config import GenerationConfig, Options
from testset.generation.pipeline import write_golden_set
from testset.golden.golden_set import GoldenSet


def generate(docs: Documents, **options: Unpack[Options]) -> GoldenSet:
    """Write a golden set for documents; the same documents and seed give the same set.

    What is found out about a folder of documents is kept in its `.rag-eval/index`, so that the next
    run need not read, cut and compare them again. The index may be deleted, and changes no set.

    Args:
        docs: A folder, a file, a `Corpus`, or documents and nodes of LlamaIndex; of nodes that are
            streamed, or to keep the index elsewhere, `Corpus.of(nodes=…, index=…)`.
        **options: Keywords, all optional:

            - size (int): How many items, 1 or more; by default 50.
            - seed (int): Chooses among equally good questions; by default 7.
            - types: Question types, evenly or with shares; by default a mix that is four fifths
              answerable, or without a model those that rules write well.
            - language (str): The language to ask in; by default each document is asked about in
              its own. Rules ask about documents of this language alone.
            - personas: Who asks, a sentence each; by default a model thinks of them passage by
              passage.
            - styles: Manners of asking, evenly or with shares: "plain", "web_search",
              "misspelt", "formal", "chat". By default a mix.
            - examples: Questions to take as examples of the manner, not of the subject.
            - judge: Who verifies, and writes unless `writer` does; by default the LLM of
              LlamaIndex's settings, else the embedded rules.
            - writer: Who writes, if another model is to verify.
            - fill (bool): Whether rules write what a model leaves, or the judge's model what rules
              leave. By default nobody does.
            - embed_model: The second retriever, beside BM25, by which checks look for other
              evidence; by default one that compares words and their parts.
            - retriever: The retriever or query engine that is deployed, or a function that makes
              one: difficulty is measured by it, and checks look for other answers and for hard
              negatives in what it finds, too. Its nodes are looked up in the documents by their
              ids, files and text. By default only the two own retrievers are asked.
            - journal (Path): Where replies are kept, so that a killed run need only be run
              again; by default nowhere.
            - progress: Called as the stages advance, with stage, done and total.
            - steps (int): For batch files, whose rounds take long: all that is missing, and an
              eighth more, is written and examined at once, and so often at most; by default a model
              examines 64 questions at a time, as often as it takes.
            - max_by_heart (float): Share of the set, in [0, 1], that the judge may answer without
              any document; by default no limit, and the judge is not asked.
            - extend (GoldenSet): A set that grows: its items stay as they are, documents that
              nobody asks about are asked about first, no question is asked again, in no
              language, and each document stays in its split. `size` counts its items in use.
            - near (Sequence[str]): Drafts, as of answers that are wrong in one way: topics are
              asked about as often as their passages are found for these.
            - traffic (Traffic): Categories of questions with their shares, in place of types,
              styles and personas: who asks, which type and kind, in which style and language, how
              hard, how long; `Traffic.read` reads a file. Rules follow types, kinds, languages,
              difficulty and length.
            - log (QueryLog): Questions that people asked, in place of traffic: languages and
              lengths are counted, a model says who asks what and how. None of its questions, nor
              a near copy, is in the set. `QueryLog.read` reads a file.
            - brief (str): In place of traffic, plain words: a model makes categories of them.
            - on (str): `ray`, to read, cut and count the documents on Ray, whose nodes have
              to see them at the same path. By default, on this machine's cores.
            - workers (int): Processes of this machine that read documents and ask by rules; by
              default one on each core, where there is enough to do. Any number gives the same set.

    Returns:
        Exactly `size` items, or fewer with a `shortfall` that says what could not be filled, also
        where a budget was spent before.

    Raises:
        EndpointError: The model takes no call, and nothing was written yet.
        DocumentError: There is no document to read.
        DatasetError: The journal is one of version 0.1.
        EngineError: The retriever is none, fails, or searches other documents.
        InputError: `size`, `steps` or `workers` is below 1, `max_by_heart` is no share, a type or
            style is unknown, the set to extend is as large as the size already, traffic says
            what rules cannot follow, or a brief is given and no model.
        PendingError: A reply is not in a batch file yet; all that can be asked is noted down for
            the next round.
    """
    return run_sync(agenerate(docs, **options))


async def agenerate(docs: Documents, **options: Unpack[Options]) -> GoldenSet:
    """Write a golden set, as `generate` does, inside a running event loop."""
    return await write_golden_set(docs, GenerationConfig(**options))
