from .card import data_card
from .chunks import Chunk, chunks_of, exact_nodes
from .documents import Corpus, Documents, Skipped, SourceDocument
from .estimating import Estimate, aestimate, estimate
from .exports import EXPORT_FORMATS, ExportFormat, export_golden
from .generator import agenerate, generate
from .golden import Axes, Behaviour, Check, Created, GoldenItem, GoldSpan, QuestionType
from .golden_set import GoldenSet, Mismatch, Rejection, Shortfall
from .imports import IMPORT_FORMATS, Imported, ImportFormat, import_golden
from .languages import adapted_writer_prompts, writer_prompts, writer_prompts_in
from .refreshing import Refreshed, arefresh, refresh
from .review.decisions import Decisions
from .review.server import serve_review
from .settings import Options, Progress
from .writer import Writer

__all__ = [
    "EXPORT_FORMATS",
    "IMPORT_FORMATS",
    "Axes",
    "Behaviour",
    "Check",
    "Chunk",
    "Corpus",
    "Created",
    "Decisions",
    "Documents",
    "Estimate",
    "ExportFormat",
    "GoldSpan",
    "GoldenItem",
    "GoldenSet",
    "ImportFormat",
    "Imported",
    "Mismatch",
    "Options",
    "Progress",
    "QuestionType",
    "Refreshed",
    "Rejection",
    "Shortfall",
    "Skipped",
    "SourceDocument",
    "Writer",
    "adapted_writer_prompts",
    "aestimate",
    "agenerate",
    "arefresh",
    "chunks_of",
    "data_card",
    "estimate",
    "exact_nodes",
    "export_golden",
    "generate",
    "import_golden",
    "refresh",
    "serve_review",
    "writer_prompts",
    "writer_prompts_in",
]
