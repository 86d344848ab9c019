"""Statistics: intervals, paired tests, multiplicity, power, agreement, label correction."""

from llamaindex_rag_eval.stats.agreement import KappaWeights, Scale, cohen_kappa, krippendorff_alpha
from llamaindex_rag_eval.stats.bootstrap import (
    BootstrapMethod,
    PairedDifference,
    bootstrap_mean,
    paired_bootstrap,
)
from llamaindex_rag_eval.stats.classification import (
    BestThreshold,
    balanced_accuracy,
    best_threshold,
    roc_auc,
)
from llamaindex_rag_eval.stats.correlation import kendall_tau, pearson, spearman
from llamaindex_rag_eval.stats.interval import Interval, t_interval, wilson
from llamaindex_rag_eval.stats.power import (
    minimal_detectable_difference,
    paired_power,
    required_n,
)
from llamaindex_rag_eval.stats.ppi import PPIMean, PPIMethod, ppi_mean
from llamaindex_rag_eval.stats.significance import (
    McNemarTest,
    PermutationTest,
    benjamini_hochberg,
    holm,
    mcnemar_exact,
    paired_permutation,
)

__all__ = [
    "BestThreshold",
    "BootstrapMethod",
    "Interval",
    "KappaWeights",
    "McNemarTest",
    "PPIMean",
    "PPIMethod",
    "PairedDifference",
    "PermutationTest",
    "Scale",
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
