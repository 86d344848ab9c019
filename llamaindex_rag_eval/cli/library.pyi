# One line a name: read by `library.py`, and re-exported to type checkers as `X as X`.
from llama_index.core.llms import LLM as LLM
from llama_index.core.query_engine import RetrieverQueryEngine as RetrieverQueryEngine
from llama_index.core.schema import BaseNode as BaseNode
from pydantic import JsonValue as JsonValue
from rich.table import Table as Table

from llamaindex_rag_eval.compat.script import run_script as run_script
from llamaindex_rag_eval.data.file_system import whole_uri as whole_uri
from llamaindex_rag_eval.decisions.align import align as align
from llamaindex_rag_eval.decisions.by_people import (
    ByPeople as ByPeople,
    people_sentences as people_sentences,
    run_by_people as run_by_people,
)
from llamaindex_rag_eval.decisions.calibration import calibrate as calibrate
from llamaindex_rag_eval.decisions.comparison import unique_names as unique_names
from llamaindex_rag_eval.decisions.decision import (
    Decision as Decision,
    Outcome as Outcome,
    decide as decide,
    decide_pair as decide_pair,
)
from llamaindex_rag_eval.decisions.drift import ask_again as ask_again, judge_drift as judge_drift
from llamaindex_rag_eval.decisions.gate_formats import (
    write_junit as write_junit,
    write_summary as write_summary,
)
from llamaindex_rag_eval.decisions.labels import read_labels as read_labels
from llamaindex_rag_eval.decisions.plan import Plan as Plan, plan as plan
from llamaindex_rag_eval.decisions.policy import (
    Allowances as Allowances,
    Policy as Policy,
    Threshold as Threshold,
)
from llamaindex_rag_eval.decisions.repeats import answer_spread as answer_spread
from llamaindex_rag_eval.decisions.sequential import REPLIES as REPLIES, gate_engine as gate_engine
from llamaindex_rag_eval.decisions.set_quality import set_quality as set_quality
from llamaindex_rag_eval.decisions.sweep import sweep as sweep
from llamaindex_rag_eval.decisions.sweep_file import read_sweep as read_sweep
from llamaindex_rag_eval.decisions.watch import Watched as Watched
from llamaindex_rag_eval.decisions.wordings import (
    wording_effects as wording_effects,
    worst_wording as worst_wording,
)
from llamaindex_rag_eval.diagnosis.diagnose import (
    diagnose as diagnose,
    most_answers as most_answers,
)
from llamaindex_rag_eval.diagnosis.modes import (
    MODES as MODES,
    SortedFailure as SortedFailure,
    read_modes as read_modes,
    sort_failures as sort_failures,
    write_modes as write_modes,
)
from llamaindex_rag_eval.diagnosis.of_run import (
    diagnosis_beside as diagnosis_beside,
    files_beside as files_beside,
)
from llamaindex_rag_eval.engines.defaults import (
    RetrieverKind as RetrieverKind,
    default_engine as default_engine,
)
from llamaindex_rag_eval.engines.engine import (
    Engine as Engine,
    engine_at as engine_at,
    with_settings as with_settings,
)
from llamaindex_rag_eval.engines.retrieval import retriever_at as retriever_at
from llamaindex_rag_eval.engines.runner import run as run
from llamaindex_rag_eval.integrations.tool import Tool as Tool, tool_at as tool_at
from llamaindex_rag_eval.judge import JudgeLike as JudgeLike
from llamaindex_rag_eval.judge.by_name import judge_at as judge_at
from llamaindex_rag_eval.judge.prompts import (
    english_prompts as english_prompts,
    languages as languages,
)
from llamaindex_rag_eval.judge.rules.embedding import LexicalEmbedding as LexicalEmbedding
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM as ExtractiveLLM
from llamaindex_rag_eval.judge.translation import write_prompts as write_prompts
from llamaindex_rag_eval.metrics.pages import (
    MetricPage as MetricPage,
    metric_page as metric_page,
    metric_pages as metric_pages,
)
from llamaindex_rag_eval.metrics.registry import metric_at as metric_at
from llamaindex_rag_eval.metrics.spec import parse_spec as parse_spec
from llamaindex_rag_eval.models import Usage as Usage
from llamaindex_rag_eval.models.batch import BatchFolder as BatchFolder, form_for as form_for
from llamaindex_rag_eval.models.batch_oracle import BatchTransport as BatchTransport
from llamaindex_rag_eval.models.batch_submit import work_in_rounds as work_in_rounds
from llamaindex_rag_eval.models.by_name import CallSettings as CallSettings
from llamaindex_rag_eval.models.dry_run import dry_run_of as dry_run_of
from llamaindex_rag_eval.models.durations import read_duration as read_duration
from llamaindex_rag_eval.models.usage import BATCH_SHARE as BATCH_SHARE
from llamaindex_rag_eval.report.calibration import calibration_tables as calibration_tables
from llamaindex_rag_eval.report.console import text_table as text_table
from llamaindex_rag_eval.report.html import write_html as write_html
from llamaindex_rag_eval.report.lost import (
    beside_runs as beside_runs,
    lost_sentences as lost_sentences,
    lost_table as lost_table,
    write_lost as write_lost,
)
from llamaindex_rag_eval.report.numbers import (
    counted as counted,
    interval as interval,
    number as number,
)
from llamaindex_rag_eval.report.resources import resources_table as resources_table
from llamaindex_rag_eval.report.sweep import sweep_table as sweep_table, write_sweep as write_sweep
from llamaindex_rag_eval.report.tables import (
    comparison_table as comparison_table,
    comparisons_table as comparisons_table,
    run_table as run_table,
    runs_table as runs_table,
    summary_table as summary_table,
    why_without_score as why_without_score,
    write_csv as write_csv,
)
from llamaindex_rag_eval.runs.clusters import Clustering as Clustering
from llamaindex_rag_eval.runs.folder import RunFolder as RunFolder
from llamaindex_rag_eval.runs.replies import replies_file as replies_file
from llamaindex_rag_eval.runs.resources import resources_of as resources_of
from llamaindex_rag_eval.runs.store.run_store import RunStore as RunStore
from llamaindex_rag_eval.stats.interval import signed as signed
from llamaindex_rag_eval.ui.history import (
    history_in as history_in,
    without_password as without_password,
)
from llamaindex_rag_eval.ui.label_server import serve_label as serve_label
from llamaindex_rag_eval.ui.labelling import LABELS as LABELS, Labelling as Labelling
from llamaindex_rag_eval.ui.server import serve_ui as serve_ui
from testset.corpus.cores import working_on as working_on
from testset.corpus.nodes import section_nodes as section_nodes, window_nodes as window_nodes
from testset.formats.exchange import with_missing_fields as with_missing_fields
from testset.generation.account import remove_journal as remove_journal
from testset.generation.brief import brief_at as brief_at
from testset.generation.config import GenerationConfig as GenerationConfig
from testset.generation.extension import write_extended as write_extended
from testset.generation.forecast import forecast as forecast
from testset.golden.additions import with_samples as with_samples
from testset.golden.golden_set import with_report as with_report, write_report as write_report
from testset.review.agreement import agreement_of as agreement_of
from testset.review.decisions import (
    decisions_beside as decisions_beside,
    decisions_in as decisions_in,
)
from testset.review.server import serve_review as serve_review
