// Boards in and out: files, maps of other programs, examples, a new one, and what stands above the map.
import { Board } from "./board.js";
import { call } from "./server.js";
import { make } from "./answer.js";
import { t } from "./words.js";
import { state, setBoard, readText, say } from "./app.js";

export function download(name, text) {
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
// A dialog with those fields; what `act` returns as a text is shown and keeps it open.
function dialog(title, fields, act) {
    const box = document.getElementById("dialog"),
        form = document.getElementById("dialog-form"),
        fault = make("p", { role: "alert" });
    form.replaceChildren(
        make("h2", { id: "dialog-title", textContent: title }),
        ...fields,
        fault,
        make(
            "div",
            { className: "buttons" },
            make("button", { type: "submit", value: "ok", textContent: t("ok") }),
            make("button", { type: "button", textContent: t("cancel"), onclick: () => box.close() }),
        ),
    );
    form.onsubmit = async (event) => {
        event.preventDefault();
        try {
            const wrong = await act();
            if (wrong) fault.textContent = wrong;
            else box.close();
        } catch (error) {
            fault.textContent = error.message;
        }
    };
    if (!box.open) box.showModal();
}
const labelled = (key, input) => make("label", {}, `${t(key)} `, input);
const choice = (values, now) =>
    make("select", {}, ...values.map((value) => make("option", { value, textContent: value, selected: value === now })));
const number = (value, min, max) => make("input", { type: "number", value, min, max, required: true });

export function newBoard() {
    const system = choice(["riese", "stalingrad_z"], "riese"),
        width = number(8, 1, 60),
        height = number(8, 1, 60);
    width.id = "new-width";
    height.id = "new-height";
    dialog(t("new"), [labelled("system", system), labelled("width", width), labelled("height", height)], () =>
        setBoard(Board.blank(system.value, +width.value, +height.value)),
    );
}
export function settings() {
    const { tables } = state.board,
        fields = [];
    const title = make("input", { value: tables.title || "" }),
        round = number(tables.round || 1, 1, 99);
    const system = choice(["riese", "stalingrad_z"], tables.system),
        riese = tables.system === "riese";
    const threat = number(tables.threat || 0, 0, 12),
        dark = make("input", { type: "checkbox", checked: tables.darkness || false });
    if (state.board.squares) fields.push(labelled("system", system));
    fields.push(labelled("title", title));
    if (state.board.squares)
        fields.push(labelled("round", round), ...(riese ? [labelled("threat", threat), labelled("darkness", dark)] : []));
    dialog(t("settings"), fields, async () => {
        const next = state.board.copy(),
            set = (key, value, plain) => {
                if (value === plain) delete next.tables[key];
                else next.tables[key] = value;
            };
        set("title", title.value, "");
        if (next.squares) {
            set("round", +round.value, 1);
            next.tables.system = system.value;
        }
        if (next.squares) {
            set("threat", system.value === "riese" ? +threat.value : 0, 0);
            set("darkness", system.value === "riese" && dark.checked, false);
        }
        await call("/api/board/check", { board: next.toText() });
        setBoard(next);
    });
}
export async function pickExample() {
    const { boards } = await call("/api/examples");
    const pick = make(
        "select",
        { id: "example" },
        ...Object.keys(boards).map((name) => make("option", { value: name, textContent: name })),
    );
    dialog(t("example"), [labelled("example", pick)], () => readText(boards[pick.value]));
}
export function exportAs() {
    const form = choice(["uvtt", "tmj"], "uvtt");
    dialog(t("export"), [labelled("export", form)], async () => {
        download(
            `board.${form.value}`,
            (await call("/api/board/export", { board: state.board.toText(), format: form.value })).map,
        );
    });
}
export function openFile() {
    const input = make("input", { type: "file", id: "file-input", accept: ".toml,.dd2vtt,.uvtt,.df2vtt,.tmj,.tmx" });
    const snap = make("input", { type: "number", id: "snap", value: 0, min: 0, max: 0.5, step: 0.05 });
    dialog(t("open"), [labelled("open", input), labelled("snap", snap)], async () => {
        const file = input.files[0];
        if (!file) return t("open");
        const text = await file.text();
        if (file.name.endsWith(".toml")) return readText(text);
        return importMap({ name: file.name, map: withoutPicture(file.name, text), snap: +snap.value });
    });
}
// Pictures are almost all of such a file, and nobody here looks at them.
function withoutPicture(name, text) {
    if (!/vtt$/.test(name)) return text;
    try {
        return JSON.stringify({ ...JSON.parse(text), image: "" });
    } catch {
        return text;
    }
}
async function importMap(given) {
    const found = await call("/api/board/import", given);
    if (found.board === null) {
        await new Promise((next) => setTimeout(next));
        askFirst(found.asked[0], given);
        return found.asked[0].says;
    }
    await readText(found.board);
    say(t("imported"));
    const lines = [...found.off_grid.map((line) => `${t("offGrid")}: ${line}`), ...found.notes];
    if (lines.length)
        document
            .getElementById("answer")
            .replaceChildren(
                make("h3", { textContent: t("notes") }),
                make("ul", {}, ...lines.map((line) => make("li", { textContent: line }))),
            );
    return "";
}
function askFirst(asked, given) {
    if (asked.about === "portals") {
        const pick = choice(asked.choices);
        pick.id = "portals";
        dialog(t("open"), [make("label", {}, `${asked.says} ${asked.things.join(", ")} `, pick)], () =>
            importMap({ ...given, portals: pick.value }),
        );
        return;
    }
    const words = {
        ".": "clear",
        "~": "hindering",
        "#": "obstructive",
        ":": "barring",
        "^": "fire",
        "!": "lethal",
        ignore: "none",
    };
    const rows = [...asked.things, t("other")].map((thing, index) => {
        const other = index === asked.things.length;
        const pick = make(
            "select",
            {},
            make("option", { value: "", textContent: other ? "" : t("other") }),
            ...asked.choices.map((sign) => make("option", { value: sign, textContent: t(words[sign]) })),
        );
        return { key: other ? "other" : thing.split(" in layer ")[0], thing, pick };
    });
    dialog(
        t("open"),
        [make("p", { textContent: asked.says }), ...rows.map((row) => make("label", {}, `${row.thing} `, row.pick))],
        () =>
            importMap({
                ...given,
                tiles: Object.fromEntries(rows.filter((row) => row.pick.value).map((row) => [row.key, row.pick.value])),
            }),
    );
}
