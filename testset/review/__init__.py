"""Review: a person looks at golden items on a local page and accepts, edits or rejects them."""
