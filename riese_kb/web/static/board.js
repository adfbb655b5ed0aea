// The board as data: the tables of a board file. Reads no rules; what a board may hold the server says.
export const squareName = (c, r) =>
    (c >= 26 ? String.fromCharCode(64 + Math.floor(c / 26)) : "") + String.fromCharCode(65 + (c % 26)) + (r + 1);
export function squareOf(name) {
    const found = /^([A-Z]+)(\d+)$/.exec(name || "");
    if (!found) return null;
    return [[...found[1]].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1, +found[2] - 1];
}
export const FACINGS = ["north", "east", "south", "west"];
export const DIRECTIONS = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] };
const RELATIVE = ["forward", "forward-right", "right", "backward-right", "backward", "backward-left", "left", "forward-left"];
const AROUND = [
    [0, -1],
    [1, -1],
    [1, 0],
    [1, 1],
    [0, 1],
    [-1, 1],
    [-1, 0],
    [-1, -1],
];
// The name that the language of questions gives a step, for someone who faces that way.
export function stepName(dc, dr, facing) {
    const at = AROUND.findIndex(([c, r]) => c === dc && r === dr);
    return at < 0 ? null : RELATIVE[(at - 2 * FACINGS.indexOf(facing) + 16) % 8];
}

export class Board {
    constructor(tables) {
        this.tables = tables;
        this.readMap();
    }
    static blank(system, width, height) {
        const edge = "+" + "-+".repeat(width),
            open = "+" + " +".repeat(width),
            row = "|" + ". ".repeat(width - 1) + ".|";
        const rows = [edge];
        for (let r = 0; r < height; r++) rows.push(row, r === height - 1 ? edge : open);
        return new Board({ system, map: rows.join("\n") + "\n" });
    }
    get squares() {
        return this.rows !== null;
    }
    readMap() {
        const { map } = this.tables;
        if (typeof map !== "string") {
            this.rows = null;
            this.width = this.height = 0;
            return;
        }
        const rows = map.replace(/^\n/, "").replace(/\s+$/, "").split("\n");
        this.width = (rows[0].length - 1) / 2;
        this.height = (rows.length - 1) / 2;
        this.rows = rows.map((row) => [...row.padEnd(2 * this.width + 1)]);
    }
    writeMap() {
        if (this.rows) this.tables.map = this.rows.map((row) => row.join("").replace(/\s+$/, "")).join("\n") + "\n";
    }
    terrain(c, r) {
        return this.rows[2 * r + 1][2 * c + 1];
    }
    edge(c, r, side) {
        const [dc, dr] = DIRECTIONS[side];
        return this.rows[2 * r + 1 + dr][2 * c + 1 + dc];
    }
    setTerrain(c, r, sign) {
        this.rows[2 * r + 1][2 * c + 1] = sign;
        this.writeMap();
    }
    setEdge(c, r, side, sign) {
        const [dc, dr] = DIRECTIONS[side];
        const rim = c + dc < 0 || r + dr < 0 || c + dc >= this.width || r + dr >= this.height;
        if (sign === ">" && !rim) return;
        if (sign === "|") sign = dc ? "|" : "-";
        if (rim && sign === " ") sign = dc ? "|" : "-";
        this.rows[2 * r + 1 + dr][2 * c + 1 + dc] = sign;
        this.writeMap();
    }
    get figures() {
        return this.tables.figure || [];
    }
    get markers() {
        return this.tables.marker || [];
    }
    figure(id) {
        return this.figures.find((one) => one.id === id);
    }
    at(name) {
        return this.figures.find((one) => one.at === name);
    }
    put(kind, thing) {
        (this.tables[kind] ||= []).push(thing);
    }
    drop(kind, thing) {
        const left = (this.tables[kind] || []).filter((one) => one !== thing);
        if (left.length) this.tables[kind] = left;
        else delete this.tables[kind];
    }
    freeId(stem) {
        for (let n = 1; ; n++) if (!this.figure(stem + n)) return stem + n;
    }
    copy() {
        return new Board(structuredClone(this.tables));
    }
    toText() {
        const value = (one) =>
            Array.isArray(one)
                ? "[" + one.map(value).join(", ") + "]"
                : one !== null && typeof one === "object"
                  ? "{ " +
                    Object.entries(one)
                        .map(([k, v]) => `${k} = ${value(v)}`)
                        .join(", ") +
                    " }"
                  : JSON.stringify(one);
        const tables = (one) => Array.isArray(one) && one.length && typeof one[0] === "object" && !Array.isArray(one[0]);
        const lines = [];
        for (const [key, one] of Object.entries(this.tables))
            if (key !== "map" && !tables(one)) lines.push(`${key} = ${value(one)}`);
        if (this.rows) lines.push("", `map = '''\n${this.tables.map.replace(/\s+$/, "")}\n'''`);
        for (const [key, one] of Object.entries(this.tables)) {
            if (!tables(one)) continue;
            for (const table of one) {
                lines.push("", `[[${key}]]`);
                for (const [name, what] of Object.entries(table))
                    if (what !== undefined && what !== "") lines.push(`${name} = ${value(what)}`);
            }
        }
        return lines.join("\n") + "\n";
    }
}

// --- links: a version, then the board and the question, packed -------------------------------------------------------
const pipe = async (bytes, stream) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
export async function toFragment(text, question) {
    const packed = await pipe(new TextEncoder().encode(text + "\0" + question), new CompressionStream("deflate-raw"));
    return (
        "1." +
        btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""))
            .replaceAll("+", "-")
            .replaceAll("/", "_")
            .replace(/=+$/, "")
    );
}
export async function fromFragment(fragment) {
    const found = /^#?(\d+)\.([\w-]+)$/.exec(fragment);
    if (!found) return null;
    if (found[1] !== "1") throw new Error("version");
    const packed = Uint8Array.from(atob(found[2].replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const [text, question] = new TextDecoder().decode(await pipe(packed, new DecompressionStream("deflate-raw"))).split("\0");
    return { text, question: question || "" };
}
