// The chosen figure: what it is, and what can be asked about it.
import { make } from "./answer.js";
import { t } from "./words.js";
import { ask, change, choose, addStep, backStep, turnFigure, draw } from "./app.js";
import { FACINGS } from "./board.js";

const STEPS = [
    "forward-left",
    "forward",
    "forward-right",
    "left",
    "right",
    "backward-left",
    "backward",
    "backward-right",
    "turn left",
    "turn right",
    "open door ahead",
];
function field(one, key, choices, names = (state) => state) {
    const set = (value) =>
        change((board) => {
            const thing = board.figure(one.id);
            if (value === "" || value.length === 0) delete thing[key];
            else thing[key] = value;
        });
    const now = one[key] ?? "";
    if (!choices)
        return make("label", {}, `${t(key)} `, make("input", { value: now, onchange: (event) => set(event.target.value) }));
    const options = [...new Set(["", ...choices, now])];
    return make(
        "label",
        {},
        `${t(key)} `,
        make(
            "select",
            { id: `f-${key}`, onchange: (event) => set(event.target.value) },
            ...options.map((value) => make("option", { value, textContent: names(value) || t("none"), selected: value === now })),
        ),
    );
}
function list(one, key, choices) {
    const now = one[key] || [];
    const add = make(
        "select",
        {
            ariaLabel: t(key),
            onchange: (event) =>
                event.target.value &&
                change((board) => {
                    (board.figure(one.id)[key] ||= []).push(event.target.value);
                }),
        },
        make("option", { value: "", textContent: "+" }),
        ...choices.filter((each) => !now.includes(each)).map((each) => make("option", { value: each, textContent: each })),
    );
    const drop = (value) =>
        change((board) => {
            const thing = board.figure(one.id);
            thing[key] = thing[key].filter((each) => each !== value);
            if (!thing[key].length) delete thing[key];
        });
    return make(
        "div",
        { className: "row" },
        `${t(key)}: `,
        ...now.map((each) =>
            make("button", {
                type: "button",
                textContent: `${each} ×`,
                ariaLabel: `${t("remove")}: ${each}`,
                onclick: () => drop(each),
            }),
        ),
        add,
    );
}
export function showChosen(box, state) {
    const one = state.board.figure(state.chosen),
        names = state.names || {};
    if (!one) {
        box.replaceChildren();
        return;
    }
    const active = document.activeElement?.id;
    const button = (key, act, pressed) =>
        make("button", {
            type: "button",
            id: `a-${key}`,
            textContent: t(key),
            onclick: act,
            ...(pressed === undefined ? {} : { "aria-pressed": String(pressed) }),
        });
    const parts = [make("h3", { textContent: `${t(one.kind)} ${one.id} · ${one.at}` })];
    if (one.kind === "hero" && state.board.squares) {
        const declare = (key) =>
            button(
                key,
                () => {
                    state.declared = key;
                    choose(one.id);
                },
                state.declared === key,
            );
        const mode = (key) =>
            button(
                key,
                () => {
                    state.mode = key;
                    showChosen(box, state);
                    draw();
                },
                state.mode === key,
            );
        parts.push(
            make(
                "div",
                { className: "buttons", role: "group", ariaLabel: t("declared") },
                declare("walking"),
                declare("running"),
            ),
            make(
                "div",
                { className: "buttons", role: "group", ariaLabel: t("point") },
                mode("move"),
                mode("look"),
                button("targets", () => ask(`targets ${one.id}`)),
            ),
            make(
                "details",
                { open: state.steps.length > 0 },
                make("summary", { textContent: t("step") }),
                make(
                    "div",
                    { className: "buttons" },
                    ...STEPS.map((step) =>
                        make("button", { type: "button", textContent: step, lang: "en", onclick: () => addStep(step) }),
                    ),
                    button("back", backStep),
                ),
            ),
        );
    }
    const people = Object.keys(names.characters || {});
    const fields = [];
    if (one.kind === "hero") {
        fields.push(
            field(one, "name", ["Trooper", ...people.filter((each) => each !== "Trooper")]),
            field(one, "facing", FACINGS),
            field(one, "declared", ["stationary", "walking", "running", "special"], t),
            field(one, "weapon", names.weapons || []),
            list(one, "gear", names.gear || []),
            list(one, "skills", (names.characters || {})[one.name] || []),
            list(one, "status", ["covering", "attacked"]),
        );
    } else if (one.kind === "zombie")
        fields.push(
            field(one, "type", names.zombies || []),
            list(one, "status", [
                "stunned",
                "unrevealed",
                ...state.board.figures.filter((each) => each.kind === "hero").map((each) => `locks:${each.id}`),
            ]),
        );
    else if (one.kind === "npc") fields.push(field(one, "name", names.npcs || []), field(one, "weapon", names.weapons || []));
    if (state.board.squares) {
        fields.push(field(one, "at"));
        const acts = [button("remove", () => change((board) => board.drop("figure", board.figure(one.id))))];
        if (one.kind === "hero") acts.unshift(button("turn", () => turnFigure(one.id)));
        parts.push(
            make(
                "details",
                { open: box.querySelector("#edit-figure")?.open, id: "edit-figure" },
                make("summary", { textContent: t("figure") }),
                ...fields,
                make("div", { className: "buttons" }, ...acts),
            ),
        );
    }
    box.replaceChildren(...parts);
    if (active) document.getElementById(active)?.focus({ preventScroll: true });
}
