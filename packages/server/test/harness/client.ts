import { expect } from "vitest";
import { answersForAll, foreignDate, noteDates } from "../../src/platform/http/shapes/response-check.js";
import { record } from "./record.js";
import { assertTold } from "./told-errors.js";

export interface Answer {
  status: number;
  /** Parsed JSON, or null where there is no body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape; what they expect is the check.
  body: any;
  headers: Headers;
}

/** Speaks HTTP to the service with one set of credentials. Give a status to have it expected. */
export interface Client {
  get(path: string, status?: number): Promise<Answer>;
  post(path: string, body?: unknown, status?: number): Promise<Answer>;
  put(path: string, body?: unknown, status?: number): Promise<Answer>;
  delete(path: string, status?: number): Promise<Answer>;
  /** Anything else: raw bodies, other headers and methods. */
  send(
    method: string,
    path: string,
    options?: { raw?: string | Uint8Array; headers?: Record<string, string | null>; status?: number },
  ): Promise<Answer>;
}

export function createClient(url: string, credentials: Record<string, string> = {}): Client {
  const send: Client["send"] = async (method, path, { raw, headers = {}, status } = {}) => {
    const all: Record<string, string | null> = {
      ...credentials,
      ...(raw === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    };
    const sent = Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    const response = await fetch(url + path, { method, headers: sent, body: raw as string | undefined });
    const text = await response.text();
    const is_json = response.headers.get("content-type")?.includes("json") ?? false;
    const body = text === "" ? null : is_json ? JSON.parse(text) : text;
    record({ method, path, status: response.status, body });
    assertTold(method, path, response.status, body);
    if (!answersForAll(path)) expect(foreignDate(body)).toBeUndefined();
    if (status !== undefined) expect({ status: response.status, body }).toMatchObject({ status });
    if (status === undefined) expect(response.status, text).toBeLessThan(500);
    return { status: response.status, body, headers: response.headers };
  };
  const json = (body: unknown) => {
    noteDates(body);
    return body === undefined ? {} : { raw: JSON.stringify(body) };
  };
  return {
    send,
    get: (path, status) => send("GET", path, { status }),
    post: (path, body, status) => send("POST", path, { ...json(body), status }),
    put: (path, body, status) => send("PUT", path, { ...json(body), status }),
    delete: (path, status) => send("DELETE", path, { status }),
  };
}
