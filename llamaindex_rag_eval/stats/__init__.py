"""Statistics: intervals, paired tests, multiplicity, power, agreement, label correction."""

from llamaindex_rag_eval.stats.agreement import KappaWeights, Scale, cohen_kappa, krippendorff_alpha
from llamaindex_rag_eval.stats.classification import (
    BestThreshold,
    balanced_accuracy,
    best_threshold,
    roc_auc,
)
from llamaindex_rag_eval.stats.clusters import connected
from llamaindex_rag_eval.stats.correlation import kendall_tau, pearson, spearman
from llamaindex_rag_eval.stats.inference import MeanEstimate, mean_estimate
from llamaindex_rag_eval.stats.interval import Interval, t_interval, wilson
from llamaindex_rag_eval.stats.paired import PairedTest, paired_test
from llamaindex_rag_eval.stats.power import (
    paired_power,
    power_of,
    required_n,
    shown_difference,
)
from llamaindex_rag_eval.stats.ppi import PPIMean, PPIMethod, ppi_mean
from llamaindex_rag_eval.stats.significance import (
    McNemarTest,
    benjamini_hochberg,
    holm,
    mcnemar_exact,
)

__all__ = [
    "BestThreshold",
    "Interval",
    "KappaWeights",
    "McNemarTest",
    "MeanEstimate",
    "PPIMean",
    "PPIMethod",
    "PairedTest",
    "Scale",
    "balanced_accuracy",
    "benjamini_hochberg",
    "best_threshold",
    "cohen_kappa",
    "connected",
    "holm",
    "kendall_tau",
    "krippendorff_alpha",
    "mcnemar_exact",
    "mean_estimate",
    "paired_power",
    "paired_test",
    "pearson",
    "power_of",
    "ppi_mean",
    "required_n",
    "roc_auc",
    "shown_difference",
    "spearman",
    "t_interval",
    "wilson",
]
