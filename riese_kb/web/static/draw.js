// The board as SVG: a grid that screen readers and keys can walk. Meaning is never by colour alone.
import { squareName, squareOf, DIRECTIONS } from "./board.js";
import { t } from "./words.js";
export const SIDE = 40;
const NS = "http://www.w3.org/2000/svg";
export function svg(tag, attributes = {}, ...children) {
    const node = document.createElementNS(NS, tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
}
export const TERRAIN = {
    ".": "clear",
    "~": "hindering",
    "#": "obstructive",
    ":": "barring",
    "^": "fire",
    "!": "lethal",
    " ": "void",
};
export const EDGES = {
    "|": "wall",
    " ": "openEdge",
    ":": "barrier",
    "~": "hedge",
    D: "door",
    d: "doorOpen",
    L: "doorLocked",
    ">": "exit",
};
const TURN = { north: 0, east: 90, south: 180, west: 270 };
const middle = (name) => {
    const at = squareOf(name);
    return at && [at[0] * SIDE + SIDE / 2, at[1] * SIDE + SIDE / 2];
};

function defs() {
    const stripes = (id, width, path) =>
        svg("pattern", { id, width, height: width, patternUnits: "userSpaceOnUse" }, svg("path", { d: path, class: "hatch" }));
    const tip = svg(
        "marker",
        { id: "tip", viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 5, markerHeight: 5, orient: "auto" },
        svg("path", { d: "M0 0 8 4 0 8z", class: "tip" }),
    );
    return svg(
        "defs",
        {},
        stripes("rough", 8, "M0 4q2-3 4 0t4 0"),
        stripes("solid", 6, "M-1 1 1-1M0 6 6 0M5 7 7 5"),
        stripes("barred", 8, "M0 0 8 8M8 0 0 8"),
        tip,
    );
}
function edgeLine(c, r, side) {
    const x = c * SIDE,
        y = r * SIDE;
    return {
        north: [x, y, x + SIDE, y],
        south: [x, y + SIDE, x + SIDE, y + SIDE],
        west: [x, y, x, y + SIDE],
        east: [x + SIDE, y, x + SIDE, y + SIDE],
    }[side];
}
function edges(board) {
    const group = svg("g", { class: "edges", "aria-hidden": "true" });
    for (let r = 0; r < board.height; r++)
        for (let c = 0; c < board.width; c++)
            for (const side of Object.keys(DIRECTIONS)) {
                if ((side === "west" && c) || (side === "north" && r)) continue;
                const sign = board.edge(c, r, side),
                    kind = sign === "-" ? "wall" : EDGES[sign];
                if (kind === "openEdge") continue;
                const [x1, y1, x2, y2] = edgeLine(c, r, side);
                group.append(svg("line", { x1, y1, x2, y2, class: "e-" + kind }));
                if (/door|exit/i.test(kind)) {
                    const upright = x1 === x2,
                        mx = (x1 + x2) / 2,
                        my = (y1 + y2) / 2;
                    const [w, h] = upright ? [8, 24] : [24, 8];
                    group.append(svg("rect", { x: mx - w / 2, y: my - h / 2, width: w, height: h, class: "leaf " + kind }));
                    if (kind !== "doorOpen")
                        group.append(letter(mx, my + 4, { door: "D", doorLocked: "L", exit: ">" }[kind], "leafword"));
                }
            }
    return group;
}
const letter = (x, y, text, kind) => {
    const node = svg("text", { x, y, class: kind });
    node.textContent = text;
    return node;
};
function figure(one, index, chosen) {
    const [x, y] = middle(one.at) || [];
    if (x === undefined) return "";
    const group = svg("g", {
        class: `f-${one.kind}${chosen === one.id ? " chosen" : ""}`,
        "aria-hidden": "true",
        transform: `translate(${x} ${y})`,
    });
    if (one.kind === "zombie") group.append(svg("rect", { x: -13, y: -13, width: 26, height: 26, rx: 5 }));
    else group.append(svg("circle", { r: 14 }));
    if (one.kind === "hero")
        group.append(svg("path", { d: "M0-19 6-11H-6z", class: "nose", transform: `rotate(${TURN[one.facing || "north"]})` }));
    group.append(
        letter(
            0,
            4,
            one.id.length < 5 ? one.id : /\d$/.test(one.id) ? one.id.slice(0, 2) + one.id.slice(-1) : one.id.slice(0, 4),
            "who",
        ),
    );
    if ((one.status || []).includes("stunned")) group.append(letter(11, -8, "✶", "who"));
    return group;
}
export function cellName(board, c, r, note = "") {
    const name = squareName(c, r),
        who = board.at(name);
    const parts = [name, t(TERRAIN[board.terrain(c, r)])];
    for (const side of ["north", "east", "south", "west"]) {
        const sign = board.edge(c, r, side);
        if (sign !== " ") parts.push(`${side}: ${t(sign === "-" ? "wall" : EDGES[sign])}`);
    }
    if (who) parts.push(`${t(who.kind)} ${who.id}${who.facing ? ", " + who.facing : ""}`);
    for (const one of board.markers) if (one.at === name) parts.push(`${t("marker")} ${one.kind} ${one.label || ""}`);
    return parts.concat(note || []).join(", ");
}
// Draws everything; `scene` holds what an answer puts on top: labels, path, arrows, line, crosses.
export function drawBoard(board, scene, chosen, focus) {
    const width = board.width * SIDE,
        height = board.height * SIDE;
    const root = svg("svg", {
        viewBox: `-22 -22 ${width + 26} ${height + 26}`,
        role: "grid",
        "aria-label": t("board"),
        id: "grid",
        "data-width": width + 26,
    });
    root.append(defs());
    const heads = svg("g", { "aria-hidden": "true" });
    for (let c = 0; c < board.width; c++)
        heads.append(letter(c * SIDE + SIDE / 2, -8, squareName(c, 0).replace(/\d/g, ""), "head"));
    for (let r = 0; r < board.height; r++) heads.append(letter(-11, r * SIDE + SIDE / 2 + 4, r + 1, "head"));
    root.append(heads);
    for (let r = 0; r < board.height; r++) {
        const row = svg("g", { role: "row" });
        for (let c = 0; c < board.width; c++) {
            const name = squareName(c, r),
                kind = TERRAIN[board.terrain(c, r)],
                label = scene.labels?.[name];
            const cell = svg("g", {
                role: "gridcell",
                "data-at": name,
                tabindex: name === focus ? 0 : -1,
                "aria-label": cellName(board, c, r, label && `${label} ${scene.unit || ""}`),
            });
            const box = { x: c * SIDE, y: r * SIDE, width: SIDE, height: SIDE };
            cell.append(svg("rect", { ...box, class: "t-" + kind }));
            // Below the terrain's pattern and sign: a mark hides neither.
            if (scene.marks?.[name])
                cell.append(
                    svg("rect", {
                        x: box.x + 2,
                        y: box.y + 2,
                        width: SIDE - 4,
                        height: SIDE - 4,
                        class: "m-" + scene.marks[name],
                    }),
                );
            const fill = { hindering: "rough", obstructive: "solid", barring: "barred" }[kind];
            if (fill) cell.append(svg("rect", { ...box, fill: `url(#${fill})`, class: "over" }));
            if (kind === "fire" || kind === "lethal")
                cell.append(letter(box.x + 9, box.y + 15, kind === "fire" ? "▲" : "☠", "sign"));
            row.append(cell);
        }
        root.append(row);
    }
    root.append(edges(board));
    for (const one of board.markers) {
        const at = middle(one.at);
        if (at)
            root.append(
                svg(
                    "g",
                    { class: "marker", "aria-hidden": "true" },
                    svg("rect", { x: at[0] - 17, y: at[1] + 5, width: 34, height: 13, rx: 3 }),
                    letter(at[0], at[1] + 15, (one.label || one.kind).slice(0, 6), "tag"),
                ),
            );
    }
    root.append(drawLines(scene));
    board.figures.forEach((one, index) => root.append(figure(one, index, chosen)));
    root.append(drawScene(scene, new Set(board.figures.map((one) => one.at))));
    return root;
}
function spotOf(name) {
    const [a, b] = String(name).split(/[|/]/);
    const one = middle(a),
        other = b && middle(b);
    return one && other ? [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2] : one || middle(String(name).split(" ")[0]);
}
// Lines lie below the figures, whose names would be struck through.
function drawLines(scene) {
    const group = svg("g", { class: "scene", "aria-hidden": "true" });
    const pathOf = (names) =>
        names
            .map(spotOf)
            .filter(Boolean)
            .map((point) => point.join(" "))
            .join("L");
    if (scene.line) group.append(svg("path", { d: "M" + pathOf(scene.line), class: "sight" }));
    if (scene.path?.length > 1)
        group.append(svg("path", { d: "M" + pathOf(scene.path), class: "way", "marker-end": "url(#tip)" }));
    for (const { a, b } of ends(scene))
        group.append(svg("path", { d: `M${a.join(" ")}L${b.join(" ")}`, class: "option", "marker-end": "url(#tip)" }));
    return group;
}
const ends = (scene) =>
    (scene.arrows || [])
        .map(({ from, to, number }) => ({ a: spotOf(from), b: spotOf(to), number }))
        .filter(({ a, b }) => a && b);
function drawScene(scene, taken) {
    const group = svg("g", { class: "scene", "aria-hidden": "true" });
    for (const { a, b, number } of ends(scene)) {
        const at = [a[0] * 0.35 + b[0] * 0.65, a[1] * 0.35 + b[1] * 0.65];
        group.append(
            svg("circle", { cx: at[0], cy: at[1], r: 8, class: "badge" }),
            letter(at[0], at[1] + 4, number, "badgeword"),
        );
    }
    for (const [name, text] of Object.entries(scene.labels || {})) {
        const at = spotOf(name);
        if (at && text !== "0") group.append(letter(at[0], at[1] + (scene.small || taken.has(name) ? 18 : 5), text, "label"));
    }
    for (const name of new Set(scene.crosses)) {
        const at = spotOf(name);
        if (!at) continue;
        const [x, y, half] = taken.has(name) ? [at[0] + 13, at[1] - 13, 5] : [at[0], at[1], 9];
        group.append(
            svg("path", {
                d: `M${x - half} ${y - half}l${2 * half} ${2 * half}m0-${2 * half}l-${2 * half} ${2 * half}`,
                class: "cross",
            }),
        );
    }
    return group;
}
