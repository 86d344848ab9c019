import llamaindex_rag_eval.stats as package


def test_everything_exported_exists_and_is_in_order():
    assert package.__all__ == sorted(package.__all__)
    assert all(hasattr(package, name) for name in package.__all__)
