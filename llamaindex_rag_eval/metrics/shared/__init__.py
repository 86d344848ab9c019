"""What several metrics of one family share: scales, aspects, claim matrices, gold hits."""
