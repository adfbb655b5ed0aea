// Requests. `latest` keeps one running per name: what was pointed at before is of no interest any more.
const running = new Map();
export class Refused extends Error {
    constructor(told) {
        super(told.error);
        this.told = told;
    }
}
export async function call(path, data, signal) {
    const how =
        data === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) };
    const answer = await fetch(path, { ...how, signal });
    const told = await answer.json();
    if (answer.status === 503) {
        await new Promise((done) => setTimeout(done, 700));
        return call(path, data, signal);
    }
    if (!answer.ok) throw new Refused(told);
    return told;
}
export function latest(name, path, data) {
    running.get(name)?.abort();
    const control = new AbortController();
    running.set(name, control);
    return call(path, data, control.signal);
}
export const stop = (name) => running.get(name)?.abort();
