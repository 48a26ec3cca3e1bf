import createClient from "openapi-fetch";
import { queryString } from "./query-string.js";
import type { components, paths } from "./schema.js";

export type Schemas = components["schemas"];

/** What the service said no with, or that it said nothing. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly key: string,
    message: string,
    readonly details: string | undefined,
    readonly request_id: string | undefined,
    /** Seconds until it may be tried again. */
    readonly retry_after: number | undefined,
    /** Which part of what was sent is meant: `rules.2.conditions.$is[0]`. */
    readonly path?: string,
  ) {
    super(message);
  }
}

/** The service did not answer at all. */
export const isAway = (error: unknown): boolean => error instanceof Refused && error.status === 0;

/** Calls of one project; `-` where none is chosen. Every call of ours goes through here. */
const clientOf = (project_id: string) =>
  createClient<paths>({
    // Absolute, as requests are made of it before they are sent.
    baseUrl: location.origin,
    headers: { "x-project-id": project_id },
    querySerializer: queryString,
    fetch: (request) => fetch(request),
  });
export type Api = ReturnType<typeof clientOf>;

const clients = new Map<string, Api>();

/** The client of a project, always the same. */
export function apiOf(project_id: string): Api {
  const client = clients.get(project_id) ?? clientOf(project_id);
  clients.set(project_id, client);
  return client;
}

/** What has no project. */
export const organization = apiOf("-");

interface Answered<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

/** The body of an answer, or throws {@link Refused}. */
export async function bodyOf<Body>(call: Promise<Answered<Body>>): Promise<Body> {
  const answer = await call.catch(() => null);
  if (!answer) throw new Refused(0, "away", "The service does not answer.", undefined, undefined, undefined);
  const { data, error, response } = answer;
  if (response.ok) return data as Body;
  throw refusalIn(response, error);
}

/** What a refusal says, whoever wrote it: a proxy in between speaks no JSON. */
export function refusalIn(response: Response, error: unknown): Refused {
  const said = (typeof error === "object" && error !== null ? error : {}) as Partial<Schemas["Problem"]>;
  const wait = Number(response.headers.get("retry-after"));
  return new Refused(
    response.status,
    said.key ?? "unknown",
    said.message ?? `The service answered ${response.status}.`,
    said.details,
    said.request_id ?? response.headers.get("x-request-id") ?? undefined,
    Number.isFinite(wait) && wait > 0 ? wait : undefined,
    typeof said.path === "string" ? said.path : undefined,
  );
}
