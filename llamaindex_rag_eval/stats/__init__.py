"""Statistics: intervals, paired tests, multiplicity, power, agreement, label correction."""

from llamaindex_rag_eval.stats.agreement import cohen_kappa as cohen_kappa
from llamaindex_rag_eval.stats.classification import (
    BestThreshold as BestThreshold,
    balanced_accuracy as balanced_accuracy,
    best_threshold as best_threshold,
    roc_auc as roc_auc,
)
from llamaindex_rag_eval.stats.clusters import connected as connected
from llamaindex_rag_eval.stats.correlation import pearson as pearson, spearman as spearman
from llamaindex_rag_eval.stats.inference import mean_estimate as mean_estimate
from llamaindex_rag_eval.stats.interval import (
    Estimate as Estimate,
    Interval as Interval,
    wilson as wilson,
)
from llamaindex_rag_eval.stats.paired import PairedTest as PairedTest, paired_test as paired_test
from llamaindex_rag_eval.stats.ppi import (
    PPIMean as PPIMean,
    PPIMethod as PPIMethod,
    ppi_mean as ppi_mean,
)
from llamaindex_rag_eval.stats.significance import (
    holm as holm,
)
