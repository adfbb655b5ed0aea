"""Examples as PDF, set by typst (the extra ``pdf``)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from riese_kb.answer import Answer
from riese_kb.errors import RieseError
from riese_kb.examples import page
from riese_kb.examples.make import Example
from riese_kb.examples.prose import told

_HEAD = """#set document(title: "%s", date: none)
#set page(margin: 2cm, numbering: "1")
#set text(size: 10pt, lang: "%s")
#set par(justify: true)
#let step(n, body, margin) = grid(columns: (1.2em, 1fr, 5.2cm), gutter: 0.8em, [#n.], body, text(size: 7pt, margin))
"""


class Source(Struct, frozen=True):
    """Typst markup and the pictures that it names."""

    text: str
    pictures: Mapping[str, str] = {}


def pdf(parts: Sequence[Source], title: str, lang: str = "en") -> bytes:
    """One document of these parts; equal parts give equal bytes. Raises ``RieseError`` without the extra."""
    try:
        import typst
    except ImportError:
        raise RieseError("PDF is set by typst, which is not installed", fix="pip install 'riese-kb[pdf]'") from None
    with tempfile.TemporaryDirectory() as folder:
        main = os.path.join(folder, "main.typ")
        texts = {"main.typ": "\n".join([_HEAD % (title.replace('"', "'"), lang), *(part.text for part in parts)])}
        for name, text in [*texts.items(), *(pair for part in parts for pair in part.pictures.items())]:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        data: bytes = typst.compile(main, format="pdf", timestamp=0)
        return data


def source(example: Example, name: str, depth: int = 1, number: str = "") -> Source:
    """An example as markup; its pictures begin with ``name``."""
    pictures: dict[str, str] = {}
    lines = [f"{'=' * depth} {escaped(number + page.title(example))}"]
    lines += _told(example.answer, pictures, f"{name}.svg", example.silent)
    for which, near in enumerate(example.near, 1):
        lines += [f"{'=' * (depth + 1)} {escaped(page.near_title(near))}"]
        lines += _told(near.answer, pictures, f"{name}-near-{which}.svg")
    return Source("\n".join(lines), pictures)


def _told(answer: Answer, pictures: dict[str, str], picture: str, silent: Sequence[str] = ()) -> Iterator[str]:
    words = told(answer, silent)
    yield f"{escaped(words.situation)}\n"
    drawn = page.picture(answer)
    if drawn:
        pictures[picture] = drawn
        yield f'#align(center, image("{picture}", height: 6cm, fit: "contain"))'
    yield f"#emph[{escaped(words.question)}]\n"
    for number, step in enumerate(words.steps, 1):
        margin = f"#raw({_quoted(step.rule)}) \\ {escaped(step.cite)}" if step.rule else ""
        yield f"#step({number}, [{escaped(step.text)}], [{margin}])"
    yield f"\n#strong[{escaped(words.verdict)}]\n"


def escaped(text: str) -> str:
    """The text as typst markup that shows it and does nothing else."""
    return "".join(f"\\{letter}" if letter in "\\#$*_`<>@=-+/~[]" else letter for letter in text)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
