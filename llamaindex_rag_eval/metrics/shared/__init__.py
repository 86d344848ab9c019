"""What several metrics share: the claim matrix, gradings, gold hits, the table of criteria."""
