from llamaindex_rag_eval.metrics.shared.gold_hits import holds


def test_a_quote_is_held_when_one_piece_is_long_enough():
    assert holds("xx abcdef", "abcdefghij", share=0.6)
    assert not holds("xx abcde", "abcdefghij", share=0.6)
    assert not holds("abc … fgh", "abcdefghij", share=0.6)  # two pieces of three
    assert holds("fghij", "abcdefghij", share=0.5)
    assert not holds("anything", "", share=0.5)
