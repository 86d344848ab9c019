"""Rewording: questions as people ask them, in other words than the passage's, and shorter."""

from testset.rewording.names import CalledBy
from testset.rewording.tables import same_as
from testset.rewording.variants import reworded

__all__ = ["CalledBy", "reworded", "same_as"]
