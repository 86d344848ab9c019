"""Statistics: intervals, paired tests, multiplicity, power, agreement, label correction."""

from llamaindex_rag_eval.stats.clusters import connected as connected
from llamaindex_rag_eval.stats.inference import mean_estimate as mean_estimate, wilson as wilson
from llamaindex_rag_eval.stats.interval import (
    Estimate as Estimate,
    Interval as Interval,
)
from llamaindex_rag_eval.stats.paired import PairedTest as PairedTest, paired_test as paired_test
from llamaindex_rag_eval.stats.ppi import (
    PPIMean as PPIMean,
    ppi_mean as ppi_mean,
)
from llamaindex_rag_eval.stats.raters import (
    cohen_kappa as cohen_kappa,
    pearson as pearson,
    roc_auc as roc_auc,
    spearman as spearman,
)
from llamaindex_rag_eval.stats.significance import (
    holm as holm,
)
