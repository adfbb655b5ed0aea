"""Examples as PDF, set by typst (the extra ``pdf``)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence

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


def pdf(examples: Sequence[Example], title: str, further: str = "") -> bytes:
    """One document with all the examples; equal examples give equal bytes. Raises ``RieseError`` without the extra."""
    try:
        import typst
    except ImportError:
        raise RieseError("PDF is set by typst, which is not installed", fix="pip install 'riese-kb[pdf]'") from None
    with tempfile.TemporaryDirectory() as folder:
        main = os.path.join(folder, "main.typ")
        with open(main, "w", encoding="utf-8") as file:
            file.write("\n".join(_source(examples, title, further, folder)))
        data: bytes = typst.compile(main, format="pdf", timestamp=0)
        return data


def _source(examples: Sequence[Example], title: str, further: str, folder: str) -> Iterator[str]:
    language = examples[0].answer.language if examples else "en"
    yield _HEAD % (title.replace('"', "'"), language)
    if len(examples) != 1:
        yield f"= {escaped(title)}"
    for number, example in enumerate(examples, 1):
        yield f"== {escaped(page.title(example))}"
        yield from _told(example.answer, folder, f"{number}.svg")
        if example.near is not None:
            yield f"=== {escaped(page.near_title(example))}"
            yield from _told(example.near, folder, f"{number}-near.svg")
    yield further


def _told(answer: Answer, folder: str, picture: str) -> Iterator[str]:
    words = told(answer)
    yield f"{escaped(words.situation)}\n"
    drawn = page.picture(answer)
    if drawn:
        with open(os.path.join(folder, picture), "w", encoding="utf-8") as file:
            file.write(drawn)
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
