"""What each address of the API takes and gives, as types; the OpenAPI document is made from them."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from riese_kb.board import MAIN, System

Text = Annotated[str, Meta(max_length=8_000_000)]
Word = Annotated[str, Meta(max_length=200)]


class Form(Struct, kw_only=True, forbid_unknown_fields=True):
    """A request."""


class Ask(Form, kw_only=True):
    """One question about a board (the text of a board or team file)."""

    board: Annotated[Text, Meta(description="The text of a board file, docs/boards.md.")]
    ask: Annotated[str, Meta(description="A question, docs/questions.md. Rule files cannot be named.")]
    lang: Annotated[Literal["en", "de"] | None, Meta(description="Language of the sentences, where there are two.")] = None
    svg: Annotated[bool, Meta(description="Also draw the answer.")] = False
    text: Annotated[bool, Meta(description="Also write it out as the command line does.")] = False
    quick: Annotated[bool, Meta(description="Without instead and readings, which take further questions.")] = False


class OnlyBoard(Form, kw_only=True):
    """A board."""

    board: Text


class Complete(Form, kw_only=True):
    """The beginning of a question."""

    text: Annotated[str, Meta(max_length=2000)]
    board: Text | None = None


class Import(Form, kw_only=True):
    """A map from another program, as the text of its file."""

    name: Annotated[Word, Meta(description="The file's name; its ending says what it is.")]
    map: Text
    snap: Annotated[float, Meta(ge=0, le=0.5, description="Squares by which a wall may lie beside the grid.")] = 0.0
    portals: Annotated[Literal["window", "door"] | None, Meta(description="What an open portal is.")] = None
    objects: Annotated[Literal["ignore", "wall"] | None, Meta(description="What furniture is.")] = None
    tiles: Annotated[dict[str, str] | None, Meta(description="Tiles of Tiled: number or name to a square character.")] = None


class Export(Form, kw_only=True):
    """A board to be written for another program."""

    board: Text
    format: Literal["uvtt", "tmj"] = "uvtt"


class Audit(Form, kw_only=True):
    """A rulebook as text."""

    book: Text
    system: System | None = None
    logic: bool = False
    level: Literal["high", "medium", "low"] = "low"


class OfGame(Form, kw_only=True):
    """Which game."""

    system: System = MAIN


class RuleId(OfGame, kw_only=True):
    """A rule or a chapter."""

    id: str


class ReadingId(OfGame, kw_only=True):
    """A point that the book leaves open."""

    name: str


class Fault(Struct, kw_only=True):
    """What was wrong, and what to try next."""

    error: str
    what: str | None = None
    fix: str | None = None
    line: int | None = None
    column: int | None = None
    width: int | None = None


class Answer(Struct, kw_only=True):
    """The answer, as ``riese-kb ask --json`` prints it."""

    ask: str
    system: str
    verdict: Literal["legal", "illegal", "clear", "blocked", "computed"]
    ledger: list[dict[str, Any]]
    violations: list[dict[str, Any]]
    result: dict[str, Any]
    instead: list[str] = field(default_factory=list)
    readings: list[dict[str, Any]] = field(default_factory=list)
    svg: str | None = None
    text: str | None = None


class Call(Struct, frozen=True, kw_only=True):
    """One address. ``long``: its body may be large, and it may take its time."""

    method: str
    path: str
    name: str
    form: type[Form]
    says: str
    gives: type | None = None
    long: bool = False


CALLS = (
    Call(method="POST", path="/api/ask", name="ask", form=Ask, says="Answer one question about a board.", gives=Answer),
    Call(method="POST", path="/api/board/check", name="check", form=OnlyBoard, says="Read a board; give its normal form."),
    Call(method="POST", path="/api/board/import", name="import", form=Import, says="Make a board of a map.", long=True),
    Call(method="POST", path="/api/board/export", name="export", form=Export, says="Make a map of a board."),
    Call(method="POST", path="/api/audit", name="audit", form=Audit, says="Look through a rulebook.", long=True),
    Call(method="POST", path="/api/complete", name="complete", form=Complete, says="The words a question may go on with."),
    Call(method="GET", path="/api/rules", name="rules", form=OfGame, says="All rules of a game."),
    Call(method="GET", path="/api/rules/{id}", name="rules", form=RuleId, says="One rule in full, or a chapter."),
    Call(method="GET", path="/api/readings", name="readings", form=OfGame, says="What the book leaves open."),
    Call(method="GET", path="/api/readings/{name}", name="readings", form=ReadingId, says="One such point."),
    Call(method="GET", path="/api/names", name="names", form=OfGame, says="Names that a board may use."),
    Call(method="GET", path="/api/examples", name="examples", form=Form, says="The shipped boards."),
)

_REFUSALS = {
    "POST": {
        "400": "The body is no JSON.",
        "408": "The body took too long to arrive.",
        "413": "The body is too large.",
        "415": "The body is not announced as JSON.",
    },
    "GET": {"404": "There is none of that name."},
}
_ALWAYS = {
    "403": "Asked under a foreign name or by a foreign page.",
    "422": "The request, the board or the question cannot be used, or takes too long.",
    "503": "Too many questions at once.",
}


def document() -> dict[str, Any]:
    """The OpenAPI document."""
    from riese_kb import __version__

    types: list[type] = [*dict.fromkeys(call.form for call in CALLS), Fault, Answer]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    named = dict(zip(types, schemas, strict=True))
    paths: dict[str, Any] = {}
    for call in CALLS:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call, named, components)
    info = {"title": "riese-kb", "version": __version__, "description": "Is it legal, and which rule says so?"}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": components}}


def _operation(call: Call, named: dict[type, Any], components: dict[str, Any]) -> dict[str, Any]:
    def json_of(schema: Any) -> dict[str, Any]:
        return {"application/json": {"schema": schema}}

    given = named[call.gives] if call.gives is not None else {"type": "object"}
    answers = {"200": {"description": "The answer.", "content": json_of(given)}}
    for status, says in (_REFUSALS[call.method] | _ALWAYS).items():
        answers[status] = {"description": says, "content": json_of(named[Fault])}
    told: dict[str, Any] = {"summary": call.says, "operationId": re.sub(r"\W+", "_", call.path[5:]), "responses": answers}
    if call.method == "POST":
        told["requestBody"] = {"required": True, "content": json_of(named[call.form])}
        return told
    schema = components[call.form.__name__]
    told["parameters"] = [
        {
            "name": name,
            "in": "path" if f"{{{name}}}" in call.path else "query",
            "required": name in schema.get("required", ()),
            "schema": {key: value for key, value in form.items() if key != "default"},
        }
        for name, form in schema["properties"].items()
    ]
    return told
