"""What several metrics share: the claim matrix, gradings by the judge, gold hits."""
