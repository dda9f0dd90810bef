"""Statistics of results: intervals, paired tests, agreement, corrections, rank stability, and the report's summary.

Standard library alone. Every function takes plain sequences; what is not defined is None, never NaN, and an entry that
is not finite is refused. All randomness comes from `generator.seeds.stream`.
"""

from generator.scoring.statistics.agreement import Agreement, cohens_kappa, krippendorff_alpha
from generator.scoring.statistics.association import kendall_tau_b, p_correct, pearson, point_biserial, r_rest, spearman
from generator.scoring.statistics.basic import Interval
from generator.scoring.statistics.headline import Setting
from generator.scoring.statistics.paired import (
    PairedTest,
    cohens_dz,
    holm,
    mcnemar,
    rank_biserial,
    sign_flip,
    wilcoxon,
)
from generator.scoring.statistics.ppi import (
    PPIDifference,
    PPIEstimate,
    power_tuning,
    ppi_difference,
    ppi_mean,
    ppi_pool,
    ppi_sample,
)
from generator.scoring.statistics.proportions import Corrected, clopper_pearson, rogan_gladen, wilson
from generator.scoring.statistics.ranking import leaders_composite, pareto_front, rank_stability, roll_stability
from generator.scoring.statistics.resample import (
    Bootstrap,
    bootstrap_mean,
    bootstrap_means,
    bootstrap_statistic,
    join_clusters,
)
from generator.scoring.statistics.rows import Row, Usage, absent_result, exposed_failures, row_of, usage_of
from generator.scoring.statistics.summary import summarise
from generator.scoring.statistics.tries import best_of_k, mean_tries, merge_rolls, pass_at_k, pass_hat_k, worst_of_k

__all__ = [
    "Agreement",
    "Bootstrap",
    "Corrected",
    "Interval",
    "PPIDifference",
    "PPIEstimate",
    "PairedTest",
    "Row",
    "Setting",
    "Usage",
    "absent_result",
    "best_of_k",
    "bootstrap_mean",
    "bootstrap_means",
    "bootstrap_statistic",
    "clopper_pearson",
    "cohens_dz",
    "cohens_kappa",
    "exposed_failures",
    "holm",
    "join_clusters",
    "kendall_tau_b",
    "krippendorff_alpha",
    "leaders_composite",
    "mcnemar",
    "mean_tries",
    "merge_rolls",
    "p_correct",
    "pareto_front",
    "pass_at_k",
    "pass_hat_k",
    "pearson",
    "point_biserial",
    "power_tuning",
    "ppi_difference",
    "ppi_mean",
    "ppi_pool",
    "ppi_sample",
    "r_rest",
    "rank_biserial",
    "rank_stability",
    "rogan_gladen",
    "roll_stability",
    "row_of",
    "sign_flip",
    "spearman",
    "summarise",
    "usage_of",
    "wilcoxon",
    "wilson",
    "worst_of_k",
]
