"""Golden sets: questions, answers and exact gold spans, written from documents and verified.

    from testset import generate

    golden = generate("docs", size=50)
    golden.write("golden.jsonl")

The names are listed in `__init__.pyi`; each is imported when it is first used, so that importing
the package is quick.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
