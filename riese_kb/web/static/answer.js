// Answers as the server gives them: shown, put on the board as a scene, and read out. Nothing is worked out here.
import { t, language } from "./words.js";
import { call, Refused } from "./server.js";
import { svg } from "./draw.js";

export function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
        else if (key in node && key !== "list" && key !== "form") node[key] = value;
        else node.setAttribute(key, value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
}
export const percent = (chance) => {
    const [top, bottom = 1] = String(chance).split("/").map(Number);
    return top / bottom;
};
const SIGNS = { legal: "✓", clear: "✓", illegal: "✗", blocked: "✗", computed: "=" };
export const verdictWord = (verdict) => `${SIGNS[verdict] || ""} ${t(verdict === "clear" ? "lof" : verdict)}`;

const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));
// What is read out: the verdict, what stands against it, the number that matters most.
export function sentence(told) {
    const { result } = told;
    const parts = [verdictWord(told.verdict)];
    for (const one of told.violations.slice(0, 3)) parts.push(one.at ? `${one.at}: ${one.says}` : one.says);
    const headline = told.verdict === "computed" && told.text?.split("\n\n")[0].replaceAll("\n", " ");
    if (headline) parts.push(headline);
    else if (result.exits && result.squares) parts.push(`${Object.keys(result.squares).length} ${t("squares")}`);
    if (result.blocked_by?.length) parts.push(result.blocked_by.join(", "));
    if (result.spent !== undefined && told.verdict === "legal") parts.push(`${result.spent}/${result.mp} ${t("mp")}`);
    if (result.modifier !== undefined && result.modifier !== null) parts.push(signed(result.modifier));
    for (const name of ["wound", "stun"])
        if (result.odds?.[name]) parts.push(`${Math.round(100 * percent(result.odds[name]))} % ${t(name)}`);
    return parts.join(" · ");
}

function ruleButton(id, system) {
    const place = make("span");
    const button = make("button", { type: "button", className: "link", textContent: id, "aria-expanded": "false" });
    button.addEventListener("click", async () => {
        if (place.firstChild) {
            place.replaceChildren();
            button.setAttribute("aria-expanded", "false");
            return;
        }
        button.setAttribute("aria-expanded", "true");
        try {
            const rule = await call(`/api/rules/${encodeURIComponent(id)}?system=${system}`);
            const german = language() === "de" && rule.says_de;
            place.append(
                make(
                    "span",
                    { className: "rule", role: "note", lang: german ? "de" : "en" },
                    make("strong", { textContent: (german && rule.title_de) || rule.title }),
                    ` ${german || rule.says} `,
                    make("cite", { textContent: rule.cite }),
                ),
            );
        } catch (fault) {
            place.append(fault.message);
        }
    });
    return make("span", {}, button, place);
}

function bars(odds, title) {
    const box = make("div", {}, make("h3", { textContent: title }));
    for (const [name, chance] of Object.entries(odds)) {
        if (typeof chance !== "string" && typeof chance !== "number") continue;
        const part = percent(chance);
        if (!Number.isFinite(part)) continue;
        const bar = svg(
            "svg",
            { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
            svg("rect", { width: part * 100, height: 10, class: "back" }),
            svg("rect", { width: part * 100, height: 10, class: "full" }),
        );
        box.append(
            make(
                "div",
                { className: `bar ${name}` },
                make("span", { textContent: t(name) }),
                bar,
                make("span", { textContent: `${chance} · ${(100 * part).toFixed(1)} %` }),
            ),
        );
    }
    return box;
}

function plainResult(result) {
    const rows = Object.entries(result).filter(
        ([key, value]) =>
            !["odds", "attack"].includes(key) && value !== null && !(typeof value === "object" && !Object.keys(value).length),
    );
    if (!rows.length) return null;
    const shown = (value) =>
        typeof value !== "object"
            ? String(value)
            : Array.isArray(value)
              ? value.map(shown).join(", ")
              : Object.entries(value)
                    .map(([k, v]) => `${k}: ${shown(v)}`)
                    .join("; ");
    return make(
        "details",
        { className: "result" },
        make("summary", { textContent: t("numbers") }),
        make(
            "table",
            {},
            make(
                "tbody",
                {},
                ...rows.map(([key, value]) =>
                    make(
                        "tr",
                        {},
                        make("th", { scope: "row", textContent: key }),
                        make("td", { textContent: shown(value), "data-result": key }),
                    ),
                ),
            ),
        ),
    );
}

// `again` asks another question in its place.
export function showAnswer(box, told, again, partial) {
    const parts = [make("h3", { textContent: told.ask })];
    if (told.violations.length) {
        parts.push(
            make("h3", { textContent: t("broken") }),
            make(
                "ol",
                { className: "violations" },
                ...told.violations.map((one) =>
                    make(
                        "li",
                        {},
                        make("strong", { textContent: `${one.at}${one.step ? ` (${one.step})` : ""}: ` }),
                        `${one.says} `,
                        ruleButton(one.rule, told.system),
                        make("br"),
                        make("cite", { textContent: one.cite }),
                    ),
                ),
            ),
        );
    }
    if (told.result.odds && typeof told.result.odds === "object") parts.push(bars(told.result.odds, t("odds")));
    if (told.result.attack && typeof told.result.attack === "object") parts.push(bars(told.result.attack, t("whole")));
    if (told.ledger.length) {
        const head = make("tr", {}, ...["rule", "where", "how"].map((key) => make("th", { scope: "col", textContent: t(key) })));
        parts.push(
            make("h3", { textContent: t("why") }),
            make(
                "table",
                {},
                make("thead", {}, head),
                make(
                    "tbody",
                    {},
                    ...told.ledger.map((line) =>
                        make(
                            "tr",
                            {},
                            make("td", {}, ruleButton(line.rule, told.system)),
                            make("td", { textContent: `${line.step ? line.step + ". " : ""}${line.at}` }),
                            make("td", {
                                className: "n",
                                textContent: `${line.unit === "AM" ? signed(line.amount) : line.amount} ${line.unit}`,
                            }),
                        ),
                    ),
                ),
            ),
        );
    }
    parts.push(plainResult(told.result));
    parts.push(make("div", { className: "rest" }, ...rest(told, again, partial)));
    box.replaceChildren(...parts.filter(Boolean));
}

// What took further questions: it comes later, below all that may already have been opened.
export function showRest(box, told, again) {
    box.querySelector(".rest").replaceChildren(...rest(told, again, false));
}
function rest(told, again, partial) {
    const parts = [];
    if (told.instead?.length)
        parts.push(
            make("h3", { textContent: t("instead") }),
            make(
                "div",
                { className: "buttons" },
                ...told.instead.map((ask) => make("button", { type: "button", textContent: ask, onclick: () => again(ask) })),
            ),
        );
    for (const reading of told.readings || []) {
        const choice = make(
            "select",
            {
                onchange: () =>
                    again(
                        `${told.ask.replace(new RegExp(` under ${reading.reading}=\\S+`), "")} under ${reading.reading}=${choice.value}`,
                    ),
            },
            make("option", { value: reading.value, textContent: `${reading.value} (${t("taken")})` }),
            ...Object.entries(reading.otherwise).map(([value, verdict]) =>
                make("option", { value, textContent: `${value}: ${verdict}` }),
            ),
        );
        parts.push(make("h3", { textContent: t("readings") }), make("label", {}, `${reading.about} `, choice));
    }
    for (const one of told.caveats || []) parts.push(make("p", { className: "hint", textContent: one }));
    if (partial) parts.push(make("p", { className: "hint", textContent: t("more") }));
    return parts;
}

// What goes on top of the board.
export function sceneOf(told, board) {
    const { result } = told;
    const scene = { labels: {}, marks: {}, crosses: [], arrows: [] };
    const words = told.ask.split(/\s+/);
    if (result.exits && result.squares) {
        scene.unit = t("mp");
        for (const [name, mp] of Object.entries({ ...result.squares, ...result.exits })) {
            scene.labels[name] = String(mp) + "!".repeat(result.wounds?.[name] || 0);
            scene.marks[name] = "reach";
        }
    } else if (result.blocked_by) {
        const ends = [words[1], words[3]].map(
            (word) => board.figures.find((one) => one.id.toLowerCase() === word?.toLowerCase())?.at || word?.toUpperCase(),
        );
        scene.line = ends;
        for (const name of result.squares) scene.marks[name] = "line";
        scene.crosses = result.blocked_by;
        for (const line of told.ledger) if (line.unit === "AM") scene.labels[line.at] = `+${line.amount}`;
    } else if (result.outcomes) {
        result.order.forEach((tie, index) =>
            tie.forEach((id) => {
                const one = board.figure(id);
                if (one) scene.labels[one.at] = `${index + 1}.`;
            }),
        );
        for (const one of board.figures)
            for (const to of new Set(result.outcomes.map((outcome) => outcome[one.id])))
                if (to && to !== one.at)
                    scene.arrows.push({ from: one.at, to, number: result.order.findIndex((tie) => tie.includes(one.id)) + 1 });
        scene.small = true;
    } else if (result.moves) {
        let from = board.figures.find((one) => one.id.toLowerCase() === words[1]?.toLowerCase())?.at;
        result.moves.forEach((options, index) => {
            for (const to of options) {
                if (from && from !== to && options.length <= 8) scene.arrows.push({ from, to, number: index + 1 });
                scene.marks[to] = "reach";
            }
            from = options.length === 1 ? options[0] : null;
        });
        for (const id of result.attacks || []) {
            const one = board.figure(id);
            if (one) scene.marks[one.at] = "bad";
        }
    } else if (result.spent !== undefined) {
        const one = board.figures.find((each) => each.id.toLowerCase() === words[1]?.toLowerCase());
        let spent = 0;
        scene.path = one ? [one.at] : [];
        for (const line of told.ledger) {
            if (!line.step) continue;
            if (line.unit === "MP") spent += line.amount;
            if (scene.path.at(-1) !== line.at && !line.at.includes(" ") && !line.at.includes("|")) scene.path.push(line.at);
            scene.labels[line.at] = String(spent);
        }
    } else if (result.lands) {
        for (const [name, chance] of Object.entries(result.lands)) scene.labels[name] = `${Math.round(100 * percent(chance))}%`;
    } else if (result.odds) {
        const ends = [words[1], words[3]].map((word) => board.figure(word)?.at).filter(Boolean);
        if (ends.length === 2) scene.line = ends;
    }
    for (const one of told.violations) {
        scene.crosses.push(one.at);
        scene.marks[one.at] = "bad";
    }
    return scene;
}

export function asTest(board, told) {
    const name = told.ask.toLowerCase().replace(/\W+/g, "_").replace(/^_|_$/g, "").slice(0, 60);
    const value = (one) =>
        JSON.stringify(one)
            .replace(/\btrue\b/g, "True")
            .replace(/\bfalse\b/g, "False")
            .replace(/\bnull\b/g, "None");
    return `from riese_kb import ask\nfrom riese_kb.teamfile import parse_sheet\n\nBOARD = ${JSON.stringify(board)}\n\n\ndef test_${name}():\n    answer = ask(parse_sheet(BOARD, ""), ${JSON.stringify(told.ask)})\n    assert answer.verdict == ${JSON.stringify(told.verdict)}\n    assert [v.rule for v in answer.violations] == ${value(told.violations.map((one) => one.rule))}\n    assert answer.result == ${value(told.result)}\n`;
}
export { Refused };
