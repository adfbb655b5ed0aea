// The page: what is chosen, what is asked, what is drawn. The rules are the server's.
import { Board, squareName, squareOf, stepName, toFragment, fromFragment, FACINGS } from "./board.js";
import { call, latest, stop } from "./server.js";
import { drawBoard, cellName, SIDE, TERRAIN, EDGES } from "./draw.js";
import { make, showAnswer, showRest, sceneOf, sentence, asTest } from "./answer.js";
import { t, speak, language } from "./words.js";
import { showChosen } from "./figures.js";
import { openFile, download, newBoard, pickExample, settings, exportAs } from "./files.js";

const $ = (id) => document.getElementById(id);
export const state = {
    board: null,
    undo: [],
    redo: [],
    chosen: null,
    focus: "A1",
    tool: "point",
    sign: ".",
    mode: "move",
    declared: "walking",
    scene: {},
    told: null,
    steps: [],
    names: null,
    turn: null,
    zoom: 1,
};
const undoLimit = 200;

// --- the board ----------------------------------------------------------------------------------------------------------
export function setBoard(board, { keep = true } = {}) {
    if (keep && state.board) {
        state.undo.push(state.board.tables);
        state.undo.splice(0, state.undo.length - undoLimit);
        state.redo = [];
    }
    state.board = board;
    $("toml").value = board.toText();
    $("fault").textContent = "";
    if (!board.figure(state.chosen)) state.chosen = null;
    if (!squareOf(state.focus) || squareOf(state.focus)[0] >= board.width || squareOf(state.focus)[1] >= board.height)
        state.focus = "A1";
    clearScene();
    localStorage.setItem("riese-board-1", board.toText());
    if (!state.names || state.names.system !== board.tables.system) loadNames(board.tables.system);
}
export function change(how) {
    const board = state.board.copy();
    if (how(board) !== false) setBoard(board);
}
async function loadNames(system) {
    state.names = { system };
    try {
        state.names = { system, ...(await call(`/api/names?system=${system}`)) };
    } catch (fault) {
        say(fault.message);
    }
    tools();
    chosen();
}
export async function readText(text, keep = true) {
    const told = await latest("check", "/api/board/check", { board: text });
    setBoard(new Board(told.tables), { keep });
}
function travel(from, to) {
    if (!state[from].length) return;
    state[to].push(state.board.tables);
    setBoard(new Board(structuredClone(state[from].pop())), { keep: false });
}
function clearScene() {
    // An answer about the board as it was must not come now.
    for (const name of ["ask", "full", "reach"]) stop(name);
    busy(false);
    state.scene = {};
    state.steps = [];
    state.turn = null;
    state.told = null;
    $("answer").replaceChildren();
    draw();
    chosen();
    tools();
}
export function draw() {
    const { board } = state;
    if (!board.squares) return drawRings();
    const active = document.activeElement?.dataset?.at;
    const root = drawBoard(board, state.scene, state.chosen, state.focus);
    scrollable(false);
    $("sheet").replaceChildren(root);
    resize(root);
    if (active) root.querySelector(`[data-at="${state.focus}"]`)?.focus({ preventScroll: true });
}
function resize(root) {
    const box = root.viewBox.baseVal,
        fit = Math.min(1.6, Math.max(0.62, $("sheet").clientWidth / box.width));
    root.style.width = `${box.width * fit * state.zoom}px`;
    root.style.minWidth = "0";
    root.style.height = `${box.height * fit * state.zoom}px`;
}
// A grid is scrolled by going over its squares; a picture has nothing to go over.
function scrollable(whether) {
    for (const [name, value] of Object.entries({ tabindex: "0", role: "group", "aria-label": t("board") }))
        if (whether) $("sheet").setAttribute(name, value);
        else $("sheet").removeAttribute(name);
}
async function drawRings() {
    scrollable(true);
    const ids = state.board.figures.map((one) => one.id);
    $("sheet").replaceChildren();
    if (!ids.length) return;
    const told = await latest("rings", "/api/ask", {
        board: state.board.toText(),
        ask: state.told?.ask || `reach ${ids[0]}`,
        svg: true,
        text: true,
        quick: true,
        lang: language(),
    }).catch((fault) => fault.name !== "AbortError" && say(fault.message));
    if (!told) return;
    const url = URL.createObjectURL(new Blob([told.svg], { type: "image/svg+xml" }));
    const seen = () => URL.revokeObjectURL(url);
    $("sheet").replaceChildren(make("img", { src: url, alt: sentence(told), className: "rings", onload: seen }));
}
export function say(text) {
    $("status").textContent = text;
}

// --- asking -------------------------------------------------------------------------------------------------------------
// Whether more of an answer is to come.
const busy = (whether) => $("answer").setAttribute("aria-busy", String(whether));
export async function ask(question, { full = true } = {}) {
    $("line").value = question;
    const given = { board: state.board.toText(), ask: question, lang: language() };
    stop("full");
    busy(full);
    try {
        const told = await latest("ask", "/api/ask", { ...given, quick: true, text: full });
        shown(told, full);
        if (!full) return told;
        latest("full", "/api/ask", given).then(
            (whole) => {
                if (state.told !== told) return;
                state.told = whole;
                showRest($("answer"), whole, again);
                busy(false);
            },
            (fault) => {
                if (fault.name === "AbortError" || state.told !== told) return;
                showRest($("answer"), told, again);
                busy(false);
            },
        );
        return told;
    } catch (fault) {
        if (fault.name === "AbortError") return null;
        busy(false);
        state.told = null;
        $("answer").replaceChildren(
            make("p", { className: "hint", textContent: fault instanceof TypeError ? t("gone") : fault.message }),
        );
        say(fault instanceof TypeError ? t("gone") : fault.message.split("\n")[0]);
        return null;
    }
}
const again = (question) => ask(question);
function shown(told, more) {
    state.told = told;
    say(sentence(told));
    showAnswer($("answer"), told, again, more);
    $("answer").append(buttons(told));
    if (state.board.squares) {
        state.scene = sceneOf(told, state.board);
        draw();
    } else drawRings();
}
function buttons(told) {
    const box = make("div", { className: "buttons" });
    const button = (key, act) =>
        box.append(make("button", { type: "button", textContent: t(key), onclick: act, id: `b-${key}` }));
    const who = state.board.figure(told.ask.split(/\s+/)[1]);
    if (told.verdict === "legal" && told.result.end && who)
        button("apply", () =>
            change((board) => {
                const one = board.figure(who.id);
                one.at = told.result.end.at;
                if (told.result.end.facing) one.facing = told.result.end.facing;
            }),
        );
    if (told.result.outcomes)
        button("step", () => {
            state.turn = { at: 0, left: told.result.outcomes, done: {}, order: told.result.order.flat() };
            turnStep();
        });
    button("copyText", async () =>
        copy(
            (
                await call("/api/ask", {
                    board: state.board.toText(),
                    ask: told.ask,
                    text: true,
                    quick: !("readings" in state.told),
                    lang: language(),
                })
            ).text,
        ),
    );
    button("copyTest", () => copy(asTest(state.board.toText(), told)));
    return box;
}
export async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        say(t("copied"));
    } catch {
        const area = make("textarea", { value: text, rows: 8, ariaLabel: t("text") });
        $("answer").prepend(area);
        area.select();
    }
}
async function reach(id) {
    const given = { board: state.board.toText(), quick: true, lang: language() };
    const other = state.declared === "running" ? "walking" : "running";
    const told = await ask(`reach ${id} ${state.declared === "running" ? "running" : "walking"}`);
    if (!told || state.chosen !== id) return;
    const more = await latest("reach", "/api/ask", { ...given, ask: `reach ${id} ${other}` }).catch(() => null);
    if (!more || state.chosen !== id || state.told?.ask.split(" ")[0] !== "reach") return;
    state.scene.labels ||= {};
    for (const [name, mp] of Object.entries(more.result.squares)) {
        if (state.scene.labels[name] === undefined) {
            state.scene.labels[name] = `${t(other)[0]}${mp}`;
            state.scene.marks[name] = "run";
        }
    }
    state.scene.unit = t("mp");
    draw();
}

// Scrolls the board, and not the page, until the square is in sight.
function reveal(name) {
    const seen = $("sheet").getBoundingClientRect(),
        spot = $("grid")?.querySelector(`[data-at="${name}"]`)?.getBoundingClientRect();
    if (!spot || (spot.left >= seen.left && spot.right <= seen.right && spot.top >= seen.top && spot.bottom <= seen.bottom)) return;
    $("sheet").scrollBy(spot.left - seen.left - seen.width / 2, spot.top - seen.top - seen.height / 2);
}

// --- a zombie turn, one figure after the other; where several places are possible the player picks -----------------------
function turnStep() {
    const { turn } = state;
    while (turn.at < turn.order.length) {
        const id = turn.order[turn.at],
            places = [...new Set(turn.left.map((outcome) => outcome[id]))];
        if (places.length === 1) {
            turn.done[id] = places[0];
            turn.at++;
            continue;
        }
        const pick = make(
            "div",
            { className: "buttons", role: "group", ariaLabel: id },
            make("p", { textContent: `${id} ${t("choose")}` }),
            ...places.map((place) =>
                make("button", {
                    type: "button",
                    textContent: place ?? t("none"),
                    onclick: () => {
                        turn.left = turn.left.filter((outcome) => outcome[id] === place);
                        turn.done[id] = place;
                        turn.at++;
                        turnStep();
                    },
                }),
            ),
        );
        $("chosen").replaceChildren(pick);
        state.scene = {
            arrows: places.filter(Boolean).map((to, index) => ({ from: state.board.figure(id)?.at, to, number: index + 1 })),
            marks: {},
            labels: {},
        };
        say(`${id} ${t("choose")} ${places.join(", ")}`);
        draw();
        reveal(state.board.figure(id)?.at);
        pick.querySelector("button").focus();
        return;
    }
    change((board) => {
        for (const [id, at] of Object.entries(turn.done)) {
            const one = board.figure(id);
            if (one && at) one.at = at;
        }
    });
    say(t("done"));
}

// --- choosing, pointing, dragging ------------------------------------------------------------------------------------------
export function choose(id) {
    state.chosen = id;
    state.steps = [];
    const one = state.board.figure(id);
    if (!one) return clearScene();
    if (["walking", "running", "stationary"].includes(one.declared)) state.declared = one.declared;
    chosen();
    draw();
    if (one.kind === "zombie") ask(`zombie ${id}`);
    else if (one.kind === "npc") ask(`npc ${id}`);
    else if (one.kind === "hero") reach(id);
}
const word = () => ({ walking: "walk", running: "run", stationary: "stay", special: "special" })[state.declared];
function point(name) {
    const { board, tool } = state,
        who = board.at(name),
        one = board.figure(state.chosen),
        at = squareOf(name);
    if (tool === "terrain")
        return change((next) => (next.terrain(...at) === state.sign ? false : next.setTerrain(...at, state.sign)));
    if (tool === "erase")
        return change((next) => {
            const thing = next.at(name),
                mark = next.markers.find((each) => each.at === name);
            if (thing) next.drop("figure", thing);
            else if (mark) next.drop("marker", mark);
            else return false;
        });
    if (tool === "marker")
        return change((next) =>
            next.put("marker", {
                kind: state.sign,
                at: name,
                ...(state.sign === "spawn"
                    ? { label: `S${next.markers.filter((each) => each.kind === "spawn").length + 1}` }
                    : {}),
            }),
        );
    if (tool === "figure" && !who) {
        const made = freshFigure(name);
        change((next) => next.put("figure", made));
        return choose(made.id);
    }
    if (who && one && who !== one && state.mode === "look") return ask(`lof ${one.id} to ${who.id}`);
    if (who && one?.kind === "hero" && who.kind === "zombie" && state.mode !== "steps")
        return ask(`attack ${one.id} on ${who.id}`);
    if (who) return choose(who.id);
    if (!one) return say(cellName(board, ...at));
    if (state.mode === "look" || one.kind !== "hero") return ask(`lof ${one.id} to ${name}`);
    return ask(`can ${one.id} ${word() === "stay" ? "walk" : word()} to ${name}`);
}
function freshFigure(at) {
    const { board, sign } = state;
    if (sign === "zombie") return { id: board.freeId("z"), kind: "zombie", at };
    const stem = { hero: "h", npc: "n", civilian: "c", soldier: "s" }[sign];
    const first = sign === "npc" ? state.names.npcs?.[0] : undefined;
    return {
        id: board.freeId(stem),
        kind: sign,
        ...(sign === "hero" ? { name: "Trooper", facing: "north" } : first ? { name: first } : {}),
        at,
    };
}
export function addStep(step) {
    state.steps.push(step);
    askSteps(true);
}
function askSteps(full) {
    if (state.steps.length) ask(`can ${state.chosen} ${word()} ${state.steps.join(", ")}`, { full });
    else choose(state.chosen);
}
export function backStep() {
    state.steps.pop();
    askSteps(true);
}
// The square and facing that the steps so far lead to, as they are named; whether that is allowed the answer says.
export function reached() {
    const one = state.board.figure(state.chosen);
    let [c, r] = squareOf(one.at),
        facing = one.facing || "north";
    const around = ["forward", "forward-right", "right", "backward-right", "backward", "backward-left", "left", "forward-left"],
        moves = [
            [0, -1],
            [1, -1],
            [1, 0],
            [1, 1],
            [0, 1],
            [-1, 1],
            [-1, 0],
            [-1, -1],
        ];
    for (const step of state.steps) {
        const turn = { "turn left": 3, "turn right": 1 }[step],
            at = around.indexOf(step);
        if (turn) facing = FACINGS[(FACINGS.indexOf(facing) + turn) % 4];
        else if (at >= 0) {
            const [dc, dr] = moves[(at + 2 * FACINGS.indexOf(facing)) % 8];
            c += dc;
            r += dr;
        }
    }
    return { c, r, facing };
}
function stepTo(name) {
    const { c, r, facing } = reached(),
        to = squareOf(name);
    let dc = to[0] - c,
        dr = to[1] - r,
        any = false;
    while ((dc || dr) && state.steps.length < 40) {
        const step = stepName(Math.sign(dc), Math.sign(dr), facing);
        state.steps.push(step);
        any = true;
        dc -= Math.sign(dc);
        dr -= Math.sign(dr);
    }
    if (any) askSteps(false);
}
const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-at]")?.dataset.at;
function nearEdge(event, name) {
    const box = $("grid").querySelector(`[data-at="${name}"] rect`).getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width - 0.5,
        y = (event.clientY - box.top) / box.height - 0.5;
    return Math.abs(x) > Math.abs(y) ? (x > 0 ? "east" : "west") : y > 0 ? "south" : "north";
}
const drawEdge = (name, side) =>
    change((board) =>
        board.edge(...squareOf(name), side) === state.sign ? false : board.setEdge(...squareOf(name), side, state.sign),
    );
let held = null;
$("sheet").addEventListener("pointerdown", (event) => {
    const name = under(event);
    if (!name || event.button) return;
    state.focus = name;
    const who = state.board.at(name);
    held = { name, last: name, moved: false, hero: state.tool === "point" && who?.kind === "hero" ? who.id : null };
});
// A finger that drags a hero or draws does not scroll. Later than here it would: each answer draws the board anew, and what
// the finger came down on is gone.
$("sheet").addEventListener("touchstart", (event) => (held?.hero || (held && state.tool === "terrain")) && event.preventDefault(), {
    passive: false,
});
document.addEventListener("pointermove", (event) => {
    const name = under(event);
    if (!name || (held && name === held.last)) return;
    if (held?.hero) {
        if (!held.moved) {
            state.chosen = held.hero;
            state.steps = [];
            held.moved = true;
            chosen();
        }
        held.last = name;
        stepTo(name);
    } else if (held && state.tool === "terrain") {
        if (!held.moved) point(held.name);
        held.moved = true;
        held.last = name;
        point(name);
    } else if (!held && state.mode === "look" && state.chosen && state.tool === "point" && name !== state.hover) {
        state.hover = name;
        const one = state.board.figure(state.chosen);
        if (one && one.at !== name) ask(`lof ${one.id} to ${name}`, { full: false });
    }
});
document.addEventListener("pointerup", (event) => {
    if (!held) return;
    const { name, moved, hero } = held;
    held = null;
    if (moved) {
        if (hero) askSteps(true);
        return;
    }
    if (under(event) !== name) return;
    if (state.tool === "edge") drawEdge(name, nearEdge(event, name));
    else point(name);
    $("grid").querySelector(`[data-at="${state.focus}"]`)?.focus({ preventScroll: true });
});
document.addEventListener("pointercancel", () => {
    held = null;
});

// --- keys ---------------------------------------------------------------------------------------------------------------
const SIDES = { ArrowUp: "north", ArrowDown: "south", ArrowLeft: "west", ArrowRight: "east" };
$("sheet").addEventListener("keydown", (event) => {
    const name = event.target.dataset?.at;
    if (!name) return;
    const [c, r] = squareOf(name),
        side = SIDES[event.key];
    if (side && event.shiftKey && state.tool === "edge") {
        drawEdge(name, side);
        event.preventDefault();
        return;
    }
    const to = side
        ? { north: [c, r - 1], south: [c, r + 1], west: [c - 1, r], east: [c + 1, r] }[side]
        : { Home: [0, r], End: [state.board.width - 1, r] }[event.key];
    if (to) {
        const next = $("grid").querySelector(`[data-at="${to[0] >= 0 && to[1] >= 0 ? squareName(...to) : ""}"]`);
        if (next) {
            event.target.setAttribute("tabindex", -1);
            next.setAttribute("tabindex", 0);
            state.focus = next.dataset.at;
            next.focus();
        }
        event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        point(name);
    } else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === "Escape") {
        state.chosen = null;
        clearScene();
    } else if (event.key === "Delete")
        change((board) => {
            const one = board.at(name);
            if (!one) return false;
            board.drop("figure", one);
        });
    else if (event.key.toLowerCase() === "s" && state.board.figure(state.chosen)?.kind === "hero") {
        stepTo(name);
        askSteps(true);
    } else if (event.key.toLowerCase() === "r" && state.board.at(name)?.kind === "hero") turnFigure(state.board.at(name).id);
    else if (event.key.toLowerCase() === "l" && state.chosen) ask(`lof ${state.chosen} to ${name}`);
});
export function turnFigure(id) {
    change((board) => {
        const one = board.figure(id);
        one.facing = FACINGS[(FACINGS.indexOf(one.facing || "north") + 1) % 4];
    });
}
document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || /^(TEXTAREA|INPUT)$/.test(event.target.tagName)) return;
    const key = event.key.toLowerCase();
    if (key === "z") {
        event.preventDefault();
        if (event.shiftKey) travel("redo", "undo");
        else travel("undo", "redo");
    } else if (key === "y") {
        event.preventDefault();
        travel("redo", "undo");
    } else if (key === "s") {
        event.preventDefault();
        download("board.board.toml", state.board.toText());
    }
});

// --- tools, panes ---------------------------------------------------------------------------------------------------------
const TOOLS = ["point", "terrain", "edge", "figure", "marker", "erase"];
function tools() {
    if (!state.board) return;
    const button = (key, pressed, act, id) =>
        make("button", { type: "button", textContent: t(key), "aria-pressed": String(pressed), onclick: act, id });
    const signs = {
        terrain: Object.entries(TERRAIN),
        edge: Object.entries(EDGES),
        figure: (state.names?.kinds || []).map((kind) => [kind, kind]),
        marker: (state.names?.markers || []).map((kind) => [kind, kind]),
    }[state.tool];
    const pick =
        signs &&
        make(
            "select",
            {
                ariaLabel: t(state.tool),
                id: "sign",
                onchange: (event) => {
                    state.sign = event.target.value;
                },
            },
            ...signs.map(([sign, key]) => make("option", { value: sign, textContent: t(key), selected: sign === state.sign })),
        );
    const active = document.activeElement?.id;
    const system = state.board.tables.system;
    $("tools").replaceChildren(
        ...(state.board.squares
            ? TOOLS.map((tool) =>
                  button(
                      tool,
                      tool === state.tool,
                      () => {
                          state.tool = tool;
                          state.sign = { terrain: "#", edge: "|", figure: "hero", marker: "objective" }[tool] || "";
                          tools();
                      },
                      `tool-${tool}`,
                  ),
              )
            : []),
        ...(pick ? [pick] : []),
        make("button", {
            type: "button",
            id: "undo",
            textContent: t("undo"),
            disabled: !state.undo.length,
            onclick: () => travel("undo", "redo"),
        }),
        make("button", {
            type: "button",
            id: "redo",
            textContent: t("redo"),
            disabled: !state.redo.length,
            onclick: () => travel("redo", "undo"),
        }),
        ...(state.board.squares
            ? [
                  make("button", {
                      type: "button",
                      id: "zombie-turn",
                      textContent: t("zombies"),
                      disabled: !state.board.figures.some((one) => one.kind === "zombie"),
                      onclick: () => ask("zombies"),
                  }),
              ]
            : []),
        make("button", {
            type: "button",
            id: "smaller",
            textContent: "−",
            ariaLabel: "Zoom −",
            onclick: () => {
                state.zoom /= 1.25;
                draw();
            },
        }),
        make("button", {
            type: "button",
            id: "larger",
            textContent: "+",
            ariaLabel: "Zoom +",
            onclick: () => {
                state.zoom *= 1.25;
                draw();
            },
        }),
    );
    $("tools").dataset.system = system;
    if (active) document.getElementById(active)?.focus({ preventScroll: true });
    const hint = { point: "hintPoint", edge: "hintEdge" }[state.tool] || "hintDraw";
    $("hint").textContent = t(state.board.squares ? hint : "hintRings");
}
function chosen() {
    if (state.board && !state.turn) showChosen($("chosen"), state);
}
function menu() {
    const acts = {
        new: newBoard,
        open: openFile,
        example: pickExample,
        save: () => download("board.board.toml", state.board.toText()),
        export: exportAs,
        settings,
        link: async () => {
            await permalink();
            copy(location.href);
        },
        print: () => print(),
    };
    $("file").replaceChildren(
        ...Object.entries(acts).map(([key, act]) =>
            make("button", { type: "button", id: `do-${key}`, textContent: t(key), onclick: act }),
        ),
    );
}
export async function permalink() {
    history.replaceState(null, "", "#" + (await toFragment(state.board.toText(), $("line").value)));
}
async function fromLink() {
    const linked = location.hash.length > 1 ? await fromFragment(location.hash) : null;
    if (!linked) return false;
    await readText(linked.text);
    if (linked.question) await ask(linked.question);
    return true;
}
let typing = 0;
$("toml").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(async () => {
        const text = $("toml").value;
        try {
            const told = await latest("check", "/api/board/check", { board: text });
            setBoard(new Board(told.tables));
            $("toml").value = text;
        } catch (fault) {
            if (fault.name !== "AbortError") $("fault").textContent = fault.message;
        }
    }, 350);
});
$("question").addEventListener("submit", (event) => {
    event.preventDefault();
    state.steps = [];
    ask($("line").value);
});
$("line").addEventListener("input", async () => {
    const text = $("line").value;
    const told = await latest("complete", "/api/complete", { text, board: state.board.toText() }).catch(() => null);
    if (!told) return;
    const stem = text.replace(/[^\s,]*$/, "");
    $("words").replaceChildren(...told.words.slice(0, 40).map((each) => make("option", { value: stem + each })));
});
$("lang").addEventListener("change", (event) => {
    speak(event.target.value);
    menu();
    tools();
    chosen();
    draw();
    if (state.told) ask(state.told.ask);
});
addEventListener("hashchange", () => fromLink().catch((fault) => say(fault.message)));
addEventListener("resize", () => {
    const grid = $("grid");
    if (grid) resize(grid);
});

const FIRST = `system = "riese"\ntitle = "Corridor drill"\n\nmap = '''\n+-+-+-+-+-+-+\n|. . . . . .|\n+ + + +-+ + +\n|. ~ # . .D.|\n+ + + + + + +\n|. . ^ . . .|\n+ + + + + + +\n|. . . . ~ .|\n+-+-+-+-+-+-+\n'''\n\n[[figure]]\nid = "nicole"\nkind = "hero"\nname = "Nicole"\nat = "A3"\nfacing = "north"\nweapon = "FG-42"\n\n[[figure]]\nid = "z1"\nkind = "zombie"\nat = "E1"\n\n[[figure]]\nid = "z2"\nkind = "zombie"\nat = "D4"\n`;
speak(language());
$("lang").value = language();
menu();
$("menu").open = innerWidth > 720;
(async () => {
    try {
        // A link goes on top of one's own board, so that Undo brings that back.
        const own = localStorage.getItem("riese-board-1");
        if (own || location.hash.length <= 1) await readText(own || FIRST).catch(() => readText(FIRST));
        await fromLink().catch((fault) => say(fault.message));
        if (!state.board) await readText(FIRST);
    } catch (fault) {
        say(fault instanceof TypeError ? t("gone") : fault.message);
    }
})();
