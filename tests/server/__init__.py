"""An OpenAI-compatible server on the loopback interface, for tests and benchmarks."""

from tests.server.faults import Fault, FaultKind, Faults
from tests.server.process import LoopbackServer
from tests.server.responder import JsonObject, Responder
from tests.server.stats import Tally

__all__ = [
    "Fault",
    "FaultKind",
    "Faults",
    "JsonObject",
    "LoopbackServer",
    "Responder",
    "Tally",
]
