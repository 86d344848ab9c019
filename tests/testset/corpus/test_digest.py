"""The digest of many parts on several cores is that of one."""

import numpy as np

from testset import SourceDocument
from testset.corpus import digest
from testset.corpus.cores import working_on
from testset.corpus.digest import digest_of

DOCUMENTS = [
    SourceDocument(f"{n}.md", f"# Record {n}\n\nPump {n} lifts {n * 7} litres.\n\n- Boiler {n}\n")
    for n in range(12)
]


def test_parts_make_the_same_digest(monkeypatch):
    whole = digest_of(DOCUMENTS)
    monkeypatch.setattr(digest, "PART", 100)
    done: list[int] = []
    with working_on(None, 1):  # that processes do the same is tested with `cores`
        parts = digest_of(DOCUMENTS, done.append)
    assert done[-1] == len(DOCUMENTS)
    assert len(done) > 1
    assert list(parts.counts.names) == list(whole.counts.names)
    for name in ("passages", "spans", "lengths", "rows", "headings", "distinct", "boilerplate"):
        assert np.array_equal(getattr(parts, name), getattr(whole, name)), name
    assert (parts.counts.times != whole.counts.times).nnz == 0
