import { appendFileSync } from "node:fs";
import { expect } from "vitest";
export function createClient(url, credentials = {}) {
    const send = async (method, path, { raw, headers = {}, status } = {}) => {
        const all = { ...credentials, ...(raw === undefined ? {} : { "content-type": "application/json" }), ...headers };
        const sent = Object.fromEntries(Object.entries(all).filter((entry) => entry[1] !== null));
        const response = await fetch(url + path, { method, headers: sent, body: raw });
        const text = await response.text();
        const is_json = response.headers.get("content-type")?.includes("json") ?? false;
        const body = text === "" ? null : is_json ? JSON.parse(text) : text;
        record({ method, path, status: response.status, body });
        if (status !== undefined)
            expect({ status: response.status, body }).toMatchObject({ status });
        if (status === undefined)
            expect(response.status, text).toBeLessThan(500);
        return { status: response.status, body, headers: response.headers };
    };
    const json = (body) => (body === undefined ? {} : { raw: JSON.stringify(body) });
    return {
        send,
        get: (path, status) => send("GET", path, { status }),
        post: (path, body, status) => send("POST", path, { ...json(body), status }),
        put: (path, body, status) => send("PUT", path, { ...json(body), status }),
        delete: (path, status) => send("DELETE", path, { status }),
    };
}
/** With GUERDON_RECORD naming a file, every exchange of the run is written there, one JSON object a line. */
function record(exchange) {
    const file = process.env.GUERDON_RECORD;
    if (file)
        appendFileSync(file, `${JSON.stringify(exchange)}\n`);
}
//# sourceMappingURL=client.js.map