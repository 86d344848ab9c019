"""Statistics: intervals, paired tests, multiplicity, power, agreement, label correction."""

from llamaindex_rag_eval.stats.agreement import cohen_kappa
from llamaindex_rag_eval.stats.classification import (
    BestThreshold,
    balanced_accuracy,
    best_threshold,
    roc_auc,
)
from llamaindex_rag_eval.stats.clusters import connected
from llamaindex_rag_eval.stats.correlation import pearson, spearman
from llamaindex_rag_eval.stats.inference import MeanEstimate, mean_estimate
from llamaindex_rag_eval.stats.interval import Interval, wilson
from llamaindex_rag_eval.stats.paired import PairedTest, paired_test
from llamaindex_rag_eval.stats.power import (
    paired_power,
    power_of,
    shown_difference,
)
from llamaindex_rag_eval.stats.ppi import PPIMean, PPIMethod, ppi_mean
from llamaindex_rag_eval.stats.significance import (
    holm,
)

__all__ = [
    "BestThreshold",
    "Interval",
    "MeanEstimate",
    "PPIMean",
    "PPIMethod",
    "PairedTest",
    "balanced_accuracy",
    "best_threshold",
    "cohen_kappa",
    "connected",
    "holm",
    "mean_estimate",
    "paired_power",
    "paired_test",
    "pearson",
    "power_of",
    "ppi_mean",
    "roc_auc",
    "shown_difference",
    "spearman",
    "wilson",
]
