"""One module a neighbour: what lets this package work inside other tools."""
