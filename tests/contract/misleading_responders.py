"""A model that does not keep to the form, in ways that readers of words have fallen for."""

from collections.abc import Mapping

from tests.server.responder import Responder

RESPONDERS: Mapping[str, Responder] = {
    "critique": lambda given, body: "NO, nothing about yesterday",
    "grade": lambda given, body: "4. (10 of 10)",
    "preference": lambda given, body: "The first one is not better than the second.",
    "support": lambda given, body: "Supported: none. Yes, I checked all of them.",
}
