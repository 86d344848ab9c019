from .corpus.chunks import Chunk, chunks_of
from .corpus.documents import Corpus, Documents, Skipped, SourceDocument
from .corpus.nodes import exact_nodes
from .formats import EXPORT_FORMATS, IMPORT_FORMATS, ExportFormat, ImportFormat
from .formats.exchange import Imported, export_golden, import_golden
from .generation.config import Options, Progress
from .generation.estimate import Estimate, aestimate, estimate
from .generation.generate import agenerate, generate
from .generation.query_log import QueryLog
from .generation.traffic import Category, Traffic
from .generation.variants import Variants, awith_variants, with_variants
from .golden.card import data_card
from .golden.golden_set import GoldenSet, Mismatch, Rejection, Shortfall
from .golden.item import (
    Axes,
    Behaviour,
    Check,
    Created,
    GoldenItem,
    GoldSpan,
    HardNegative,
    QuestionType,
)
from .golden.merge import Conflict, Merged, merge_golden
from .golden.refresh import Refreshed, arefresh, refresh
from .requests.translation import adapted_writer_prompts, writer_prompts, writer_prompts_in
from .review.decisions import Decisions
from .review.server import serve_review

__all__ = [
    "EXPORT_FORMATS",
    "IMPORT_FORMATS",
    "Axes",
    "Behaviour",
    "Category",
    "Check",
    "Chunk",
    "Conflict",
    "Corpus",
    "Created",
    "Decisions",
    "Documents",
    "Estimate",
    "ExportFormat",
    "GoldSpan",
    "GoldenItem",
    "GoldenSet",
    "HardNegative",
    "ImportFormat",
    "Imported",
    "Merged",
    "Mismatch",
    "Options",
    "Progress",
    "QueryLog",
    "QuestionType",
    "Refreshed",
    "Rejection",
    "Shortfall",
    "Skipped",
    "SourceDocument",
    "Traffic",
    "Variants",
    "adapted_writer_prompts",
    "aestimate",
    "agenerate",
    "arefresh",
    "awith_variants",
    "chunks_of",
    "data_card",
    "estimate",
    "exact_nodes",
    "export_golden",
    "generate",
    "import_golden",
    "merge_golden",
    "refresh",
    "serve_review",
    "with_variants",
    "writer_prompts",
    "writer_prompts_in",
]
