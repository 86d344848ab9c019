"""`rag-eval`, also as `python -m llamaindex_rag_eval`: Ctrl-C is one line even while it starts."""

from llamaindex_rag_eval._interrupt import run_until_interrupted


def main() -> None:
    """Run `rag-eval`."""

    def command() -> None:
        from llamaindex_rag_eval.cli.app import app

        app()

    run_until_interrupted(command)


if __name__ == "__main__":
    main()
