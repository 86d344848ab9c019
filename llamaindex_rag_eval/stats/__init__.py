"""Statistics: intervals, paired tests, multiplicity, power, agreement, label correction."""

from llamaindex_rag_eval.stats.agreement import KappaWeights, cohen_kappa
from llamaindex_rag_eval.stats.bootstrap import BootstrapMethod, bootstrap_mean
from llamaindex_rag_eval.stats.classification import (
    Threshold,
    balanced_accuracy,
    best_threshold,
    roc_auc,
)
from llamaindex_rag_eval.stats.correlation import kendall_tau, pearson, spearman
from llamaindex_rag_eval.stats.interval import Interval
from llamaindex_rag_eval.stats.krippendorff import Scale, krippendorff_alpha
from llamaindex_rag_eval.stats.multiplicity import benjamini_hochberg, holm
from llamaindex_rag_eval.stats.paired import (
    McNemarTest,
    PairedDifference,
    mcnemar_exact,
    paired_bootstrap,
)
from llamaindex_rag_eval.stats.paired_tests import PermutationTest, paired_permutation
from llamaindex_rag_eval.stats.power import (
    minimal_detectable_difference,
    paired_power,
    required_n,
)
from llamaindex_rag_eval.stats.ppi import PPIMean, PPIMethod, ppi_mean
from llamaindex_rag_eval.stats.rates import wilson
from llamaindex_rag_eval.stats.student import t_interval

__all__ = [
    "BootstrapMethod",
    "Interval",
    "KappaWeights",
    "McNemarTest",
    "PPIMean",
    "PPIMethod",
    "PairedDifference",
    "PermutationTest",
    "Scale",
    "Threshold",
    "balanced_accuracy",
    "benjamini_hochberg",
    "best_threshold",
    "bootstrap_mean",
    "cohen_kappa",
    "holm",
    "kendall_tau",
    "krippendorff_alpha",
    "mcnemar_exact",
    "minimal_detectable_difference",
    "paired_bootstrap",
    "paired_permutation",
    "paired_power",
    "pearson",
    "ppi_mean",
    "required_n",
    "roc_auc",
    "spearman",
    "t_interval",
    "wilson",
]
