"""Endpoints: the engine that `--engine` names, a place in Python or the URL of a service."""

import json
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.inputs import names_in
from llamaindex_rag_eval.cli.options import SERVICE, options
from llamaindex_rag_eval.errors import InputError


@options()
class Endpoint:
    """An engine, and how a service is asked that is one."""

    engine: Annotated[str | None, Parameter(metavar="MODULE:ATTRIBUTE|URL")] = None
    """Your query engine, retriever, chat engine, workflow or agent, or a function that returns
    one; or the URL of a service that takes questions as JSON."""
    reply_map: Annotated[
        str | None, Parameter(name="--map", metavar="FIELD=PATH,…", group=SERVICE)
    ] = None
    """Where a service's reply has the fields, as JSON paths:
    `response=$.answer,contexts=$.sources[*].text,context_ids=$.sources[*].id`; also
    context_scores, prompt_tokens, completion_tokens, cost, first_token. Without it, the names
    response or answer, contexts, context_ids are looked for."""
    body: Annotated[str | None, Parameter(metavar="JSON|FILE", group=SERVICE)] = None
    """What is posted to a service, with {question} in its place, also {id}, and "{messages}" for
    the conversation; by default '{"question": "{question}"}'."""
    header: Annotated[list[str] | None, Parameter(metavar="NAME: VALUE", group=SERVICE)] = None
    """A header for a service, with keys from the environment only:
    'Authorization: Bearer ${MY_KEY}'. Several times for several."""
    timeout: float | None = None
    """Seconds for one question."""

    def named(self, path: str) -> "library.Engine":
        """Return the engine at `module:attribute`, or the service at a URL.

        Raises:
            InputError: An option is not understood, or is given for an engine that is no service.
            EngineError: There is no engine at the place.
        """
        if "://" not in path:
            if self.reply_map or self.body or self.header:
                raise InputError("--map, --body and --header are for --engine http://…")
            return library.engine_at(path)
        body = None if self.body is None else _body(self.body)
        settings = {"body": body, "timeout": self.timeout}
        return rag.HttpEngine(
            path,
            fields=dict(_pair(pair, "=", "--map") for pair in names_in(self.reply_map)),
            headers=dict(_pair(pair, ":", "--header") for pair in self.header or ()),
            **{name: value for name, value in settings.items() if value is not None},
        )


def _pair(text: str, sign: str, option: str) -> tuple[str, str]:
    name, separator, value = text.partition(sign)
    if not (name.strip() and separator):  # the text may hold a key: it is not repeated
        raise InputError(f"{option} expects NAME{sign}VALUE, got no {sign!r} after a name")
    return name.strip(), value.strip()


def _body(text: str) -> Any:
    source = text
    if not text.lstrip().startswith(("{", "[", '"')):
        try:
            source = Path(text).read_text(encoding="utf-8")
        except OSError as error:
            raise InputError(f"--body {text!r} is no JSON and no file: {error.strerror}") from None
    try:
        return json.loads(source)
    except ValueError as error:
        raise InputError(f"--body is no JSON: {error}") from None
