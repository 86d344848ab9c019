"""An OpenAI-compatible server on the loopback interface, for tests and benchmarks."""

from tests.server.faults import Fault as Fault, FaultKind as FaultKind, Faults as Faults
from tests.server.process import LoopbackServer as LoopbackServer
from tests.server.responder import JsonObject as JsonObject, Responder as Responder
from tests.server.stats import Tally as Tally
