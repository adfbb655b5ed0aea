"""The booklet: chapter by chapter the fewest examples that show every rule kept and broken, an index, open points, gaps.

Chapters are worked out side by side in processes of their own; what comes back is text, in the order of the chapters.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from html import escape

from msgspec import Struct
from msgspec.structs import replace

from riese_kb.board import Board, System
from riese_kb.catalogue import Kind, Rule, chapters, rules
from riese_kb.errors import RulesError, did_you_mean
from riese_kb.examples import page
from riese_kb.examples.cover import Cover, cover, items_of
from riese_kb.examples.make import Example, Listed, listed_cases, varied, worked_out
from riese_kb.examples.wish import Judged, Role, judge
from riese_kb.handbook import touched_by
from riese_kb.picture import draw
from riese_kb.program import readings
from riese_kb.typeset import counted
from riese_kb.witness.replay import answers, difference
from riese_kb.witness.stored import stored

Progress = Callable[[int, int, str], None]


class Printed(Struct, frozen=True):
    """One example as it is printed, and what it shows: ``kept RULE``, ``broken RULE``."""

    title: str
    shows: tuple[str, ...]
    written: str
    pictures: Mapping[str, str] = {}


class Chapter(Struct, frozen=True):
    """One chapter: its examples, the fewest there could be, and what none of them shows, with the reason."""

    name: str
    examples: tuple[Printed, ...]
    at_least: int
    missing: Mapping[str, str]
    open: tuple[str, ...]


class Booklet(Struct, frozen=True):
    """All chapters of a game in one format."""

    system: System
    form: str
    chapters: tuple[Chapter, ...]


def booklet(system: System, seed: int, only: Sequence[str], form: str, jobs: int, progress: Progress) -> Booklet:
    """The booklet of a game; raises ``RulesError`` for a chapter that it does not have."""
    names = chapters(system)
    for name in only:
        if name not in names:
            raise RulesError(f"no chapter is called {name!r}", fix=did_you_mean(name, names))
    wanted = [name for name in names if not only or name in only]
    if jobs == 1 or len(wanted) == 1:
        made = []
        for done, name in enumerate(wanted):
            progress(done, len(wanted), name)
            made.append(chapter_of(system, name, seed, form))
        progress(len(wanted), len(wanted), "")
        return Booklet(system, form, tuple(made))
    size = {name: sum(id.startswith(f"{name}.") for id in rules(system)) for name in wanted}
    found: dict[str, Chapter] = {}
    with ProcessPoolExecutor(jobs) as pool:
        largest = sorted(wanted, key=lambda name: (-size[name], name))
        running = {pool.submit(chapter_of, system, name, seed, form): name for name in largest}
        for done, future in enumerate(as_completed(running), 1):
            found[running[future]] = future.result()
            progress(done, len(wanted), running[future])
    return Booklet(system, form, tuple(found[name] for name in wanted))


# --- one chapter ------------------------------------------------------------------------------------------------------


_FIRM = (Role.USED, Role.NEEDED)
"""Roles in which a rule is kept and settles the answer."""


def chapter_of(system: System, name: str, seed: int, form: str) -> Chapter:
    """The fewest shipped questions that show the chapter's rules, each made as small as it goes and told."""
    dice = random.Random(f"{seed} {name}")
    cases = [case for case in _listed(system, name) if items_of(case.kept, case.broken, name)]
    told = {id for case in cases for id in (*case.kept, *case.broken)}
    dice.shuffle(cases)
    judged, best = _chosen(system, name, [*cases], _FIRM)
    more, fewest = _chosen(system, name, _others(system, name, cases, judged), (*_FIRM, Role.FELT))
    taken: set[str] = set()
    printed: list[Printed] = []
    for case, one in (*judged, *more):
        shows = sorted(items_of(case.kept, case.broken, name) - taken)
        taken |= {*shows}
        wished = sorted({item.partition(" ")[2] for item in shows})
        here = replace(one, roles={rule: one.roles[rule] for rule in wished})
        made = worked_out(varied(here, wished, dice), wished, float("inf"))
        wanting = {item.partition(" ")[2] for item in shows if item.startswith("broken")} - {
            i[5:] for i in taken if i[:5] == "kept "
        }
        made = replace(made, near=tuple(one for one in made.near if wanting & {*one.rules}))
        near = sorted(f"kept {rule}" for one in made.near for rule in wanting & {*one.rules})
        taken |= {*near}
        number = f"{name}-{len(printed) + 1}. "
        printed.append(_print(made, (*shows, *(item for item in near if item not in shows)), form, number))
    shown = {item for example in printed for item in example.shows}
    open_points = tuple(point for point in readings(system) if any(id.startswith(f"{name}.") for id in touched_by(system, point)))
    return Chapter(name, tuple(printed), best.at_least + fewest.at_least, _missing(system, name, shown, told), open_points)


def _others(system: System, name: str, cases: Sequence[Listed], judged: Sequence[tuple[Listed, Judged]]) -> list[Listed]:
    """Questions about the rules that settle no answer under the book's rules alone: where they are felt, or under a reading,
    or without the rule that says the same.
    """
    shown = {id for case, _ in judged for id in (*case.kept, *case.broken)}
    found = []
    for case in (*cases, *listed_cases(system, True)):
        kept, broken = (tuple(id for id in ids if id not in shown) for ids in (case.kept, case.broken))
        if items_of(kept, broken, name):
            found.append(replace(case, kept=kept, broken=broken))
    return found


def _chosen(
    system: System, name: str, cases: list[Listed], keeping: Collection[Role]
) -> tuple[list[tuple[Listed, Judged]], Cover]:
    """A cover whose every claim is borne out by asking; claims that are not are dropped, and it is solved again.

    ``cases`` is left with what was borne out.
    """
    known: dict[tuple[str, str], Judged | None] = {}
    while True:
        sets = [items_of(case.kept, case.broken, name) for case in cases]
        weights = [len({*case.kept, *case.broken}) - len(items) for case, items in zip(cases, sets, strict=True)]
        best = cover(sets, weights)
        dropped = False
        for number in best.taken:
            case = cases[number]
            key = (case.board, case.ask)
            if key not in known:
                read = case.read(system)
                wished = sorted({item.partition(" ")[2] for item in sets[number]})
                known[key] = judge([read], wished)[0] if read is not None else None
            cases[number] = _borne_out(case, known[key], name, keeping)
            dropped = dropped or cases[number] != case
        if not dropped:
            chosen = [(cases[number], known[cases[number].board, cases[number].ask]) for number in best.taken]
            return [(case, one) for case, one in chosen if one is not None], best


def _borne_out(case: Listed, one: Judged | None, name: str, keeping: Collection[Role]) -> Listed:
    roles = one.roles if one is not None else {}
    mine = f"{name}."
    broken = tuple(id for id in case.broken if not id.startswith(mine) or roles.get(id) is Role.BROKEN)
    kept = tuple(id for id in case.kept if not id.startswith(mine) or roles.get(id) in keeping)
    return replace(case, kept=kept, broken=broken)


def _print(example: Example, shows: tuple[str, ...], form: str, number: str) -> Printed:
    heading = page.title(example)
    if form == "pdf":
        from riese_kb.examples.typst import source

        found = source(example, number.strip(" ."), 2, number)
        return Printed(heading, shows, found.text, found.pictures)
    written = page.html(example, 3, number) if form == "html" else page.markdown(example, 3, number)
    return Printed(heading, shows, written)


def _listed(system: System, name: str) -> list[Listed]:
    """The shipped questions; on rings, where they are few, each is also asked about rules of the chapter that no page names."""
    cases = listed_cases(system)
    told = {id for case in cases for id in (*case.kept, *case.broken)}
    untold = [id for id in rules(system) if id.startswith(f"{name}.") and id not in told]
    if not untold or not system.on_rings:
        return cases
    read = [(case, found) for case in cases if (found := case.read(system)) is not None]
    judged = judge([found for _, found in read], untold)
    return [_with_roles(case, one) for (case, _), one in zip(read, judged, strict=True)]


def _with_roles(case: Listed, one: Judged | None) -> Listed:
    roles = one.roles if one is not None else {}
    broken = tuple(id for id, role in roles.items() if role is Role.BROKEN)
    kept = tuple(id for id, role in roles.items() if role in _FIRM)
    return replace(case, kept=(*case.kept, *kept), broken=(*case.broken, *broken))


def _missing(system: System, name: str, shown: set[str], told: set[str]) -> dict[str, str]:
    """What no example of the chapter shows, and why."""
    found = {}
    for id, rule in rules(system).items():
        if id.startswith(f"{name}."):
            if f"kept {id}" not in shown and f"broken {id}" not in shown:
                found[id] = (
                    "no answer that should show it changes without it" if id in told else "no shipped question is about it"
                )
            elif f"kept {id}" not in shown:
                found[f"kept {id}"] = "no shipped answer hangs on its being kept, and no small change keeps it"
            elif f"broken {id}" not in shown and rule.kind is Kind.RESTRICTION:
                found[f"broken {id}"] = _unbroken(rule)
    return found


def _unbroken(rule: Rule) -> str:
    if rule.broken is None:
        return "it tells what is done and what never comes about, so nobody can break it"
    return "no shipped question breaks it"


# --- the whole --------------------------------------------------------------------------------------------------------


def account(made: Booklet) -> str:
    """How many examples show how much, and how far the number is from the fewest."""
    total = sum(len(chapter.examples) for chapter in made.chapters)
    gap = sum(len(chapter.examples) - chapter.at_least for chapter in made.chapters if chapter.examples)
    every = [id for chapter in made.chapters for id in rules(made.system) if id.startswith(f"{chapter.name}.")]
    shown = {item.partition(" ")[2] for chapter in made.chapters for example in chapter.examples for item in example.shows}
    proved = "which is the fewest" if gap <= 0 else f"at most {gap} more than the fewest"
    return f"{counted(total, 'example')} for {len(shown & {*every})} of {counted(len(every), 'rule')}, {proved}"


def written(made: Booklet) -> bytes:
    """The booklet as a file."""
    title = f"{made.system.called}: worked examples"
    if made.form == "html":
        return page.html_page(title, "\n".join(_html(made, title))).encode()
    if made.form == "md":
        return ("\n".join(_markdown(made, title)) + "\n").encode()
    from riese_kb.examples.typst import Source, escaped, pdf

    parts = [Source(f"#align(center, text(size: 20pt)[{escaped(title)}])\n\n{escaped(account(made))}.\n#outline(depth: 1)")]
    for chapter in made.chapters:
        parts.append(Source(f"= {escaped(_name(chapter))}"))
        parts += [Source(example.written, example.pictures) for example in chapter.examples]
        for number, side in enumerate(_sidebars(made.system, chapter), 1):
            drawn = f"{chapter.name}-open-{number}.svg"
            shown = f'#image("{drawn}", height: 4cm, fit: "contain")' if side.picture else ""
            said = " ".join(map(escaped, (side.about, side.taken, side.differs)))
            pictures = {drawn: side.picture} if side.picture else {}
            parts.append(Source(f"#block(stroke: (left: 2pt), inset: 8pt)[{said}\n\n{shown}]", pictures))
    lines = [f'- #raw("{id}"): {escaped(where)}' for id, where in _index(made)]
    parts.append(Source("\n".join(["= Index", *lines, "= Not shown", *(f"- {escaped(line)}" for line in _gaps(made))])))
    return pdf(parts, title)


def _name(chapter: Chapter) -> str:
    return chapter.name.replace("-", " ").capitalize()


class Sidebar(Struct, frozen=True):
    """A point left open that touches a chapter: what is open, what is taken and why, and the smallest known board on which
    it matters, with one sentence of difference and the picture (empty: no witness is kept, or it is about a team).
    """

    about: str
    taken: str
    differs: str = ""
    board: str = ""
    picture: str = ""


def _sidebars(system: System, chapter: Chapter) -> list[Sidebar]:
    return [_sidebar(system, name) for name in chapter.open]


@cache
def _sidebar(system: System, name: str) -> Sidebar:
    point = readings(system)[name]
    taken = f"Taken: {name}={point.default}, {point.values[point.default]}. {point.reason}"
    kept = next((one for one in stored(system) if one.one.startswith(f"{name}=") and one.other is None), None)
    if kept is None:
        return Sidebar(point.about, taken)
    sheet, question = kept.case
    pair = kept.pair(system)
    both = answers(pair, sheet, question)
    differs = f"Asked “{kept.ask}”: {difference(pair, *both)}"
    if not isinstance(sheet, Board) or isinstance(both[0], str):
        return Sidebar(point.about, taken, differs)
    return Sidebar(point.about, taken, differs, draw(sheet), page.picture(both[0]))


def _index(made: Booklet) -> list[tuple[str, str]]:
    found: dict[str, list[str]] = {}
    for chapter in made.chapters:
        for number, example in enumerate(chapter.examples, 1):
            for item in example.shows:
                how, _, id = item.partition(" ")
                found.setdefault(id, []).append(f"{chapter.name}-{number} ({how})")
    return [(id, ", ".join(found[id])) for id in sorted(found)]


def _gaps(made: Booklet) -> list[str]:
    return [f"{item}: {why}" for chapter in made.chapters for item, why in chapter.missing.items()]


def _markdown(made: Booklet, title: str) -> list[str]:
    lines = [f"# {title}", "", f"{account(made)}."]
    for chapter in made.chapters:
        lines += ["", f"## {_name(chapter)}", ""]
        lines += [example.written for example in chapter.examples]
        for side in _sidebars(made.system, chapter):
            lines += [f"> {side.about} {side.taken}", ""]
            lines += ["> " + side.differs, ""] if side.differs else []
            lines += ["```text", side.board.rstrip("\n"), "```", ""] if side.board else []
    lines += ["## Index", "", *(f"- `{id}`: {where}" for id, where in _index(made))]
    return [*lines, "", "## Not shown", "", *(f"- {line}" for line in _gaps(made))]


def _html(made: Booklet, title: str) -> list[str]:
    lines = [f"<h1>{escape(title)}</h1>", f"<p>{escape(account(made))}.</p>", "<nav><ul>"]
    lines += [f'<li><a href="#{chapter.name}">{escape(_name(chapter))}</a></li>' for chapter in made.chapters]
    lines.append("</ul></nav>")
    for chapter in made.chapters:
        lines.append(f'<h2 id="{chapter.name}">{escape(_name(chapter))}</h2>')
        lines += [example.written for example in chapter.examples]
        for side in _sidebars(made.system, chapter):
            more = f"<p>{escape(side.differs)}</p>{side.picture}" if side.differs else ""
            lines.append(f"<aside><p>{escape(side.about)}<br>{escape(side.taken)}</p>{more}</aside>")
    lines += ["<h2>Index</h2>", "<dl>"]
    for id, where in _index(made):
        links = ", ".join(f'<a href="#example-{one.split()[0]}">{escape(one)}</a>' for one in where.split(", "))
        lines.append(f"<dt><code>{id}</code></dt><dd>{links}</dd>")
    lines += ["</dl>", "<h2>Not shown</h2>", "<ul>", *(f"<li>{escape(line)}</li>" for line in _gaps(made)), "</ul>"]
    return lines
