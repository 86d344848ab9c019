"""How models are asked: one prompt a file, in our own words."""
