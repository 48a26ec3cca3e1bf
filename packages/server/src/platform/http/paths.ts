import type { FastifyInstance, FastifyRequest } from "fastify";
import { atOnce } from "./hooks.js";
import { problems } from "./problems.js";

/**
 * Literal segments that stand where other operations have an id, by the path before them; `*` in that path is any id.
 * `{ "/v1/vouchers": ["import"] }`: nothing under `/v1/vouchers/import` is about a voucher of that name.
 */
export type PathWords = Readonly<Record<string, readonly string[]>>;

/** The routes as paths: what a path that found none may have meant, and which ids are none. */
export interface Paths {
  /** Why no operation answers the request: an unknown path, or a method that the path does not have. */
  refusalOf(request: FastifyRequest): Error;
  methodsOf(path: string): string[];
}

interface Route {
  segments: readonly string[];
  method: string;
}

const methods_in_order = ["GET", "POST", "PUT", "DELETE"];

/**
 * Remembers every route, and refuses a request whose id is a word of the contract, whether the word's own operation is
 * there or not: `POST /v1/vouchers/importCSV` must never make a voucher of that name. The router prefers an operation of
 * the word's own by itself. Call it before routes and other hooks are added: what nobody serves is told before who asks
 * (platform.md §11.3).
 */
export function addPaths(app: Pick<FastifyInstance, "addHook">, words: PathWords): Paths {
  const routes: Route[] = [];
  const words_after = new Map(Object.entries(words).map(([prefix, list]) => [prefix, new Set(list)]));
  /** By route: the parameters that stand where there are words. */
  const places = new Map<string, readonly { name: string; words: ReadonlySet<string> }[]>();

  app.addHook("onRoute", ({ url, method }) => {
    const segments = segmentsOf(url);
    for (const one of [method].flat()) if (one !== "HEAD") routes.push({ segments, method: one });
    const found = segments.flatMap((segment, i) => {
      const here = segment.startsWith(":") ? words_after.get(prefixOf(segments, i)) : undefined;
      return here ? [{ name: segment.slice(1), words: here }] : [];
    });
    if (found.length > 0) places.set(url, found);
  });

  app.addHook(
    "onRequest",
    atOnce((request) => {
      const { url: route } = request.routeOptions;
      if (route === undefined) return;
      const params = request.params as Record<string, string>;
      if (places.get(route)?.some(({ name, words }) => words.has(params[name] ?? ""))) throw refusalOf(request);
      if (request.url.includes("//") && hasEmptyId(pathOf(request))) throw refusalOf(request);
    }),
  );

  /** Whether a segment may be what the route has there. */
  function fits(route: Route, segments: readonly string[], i: number): boolean {
    const wanted = route.segments[i] ?? "";
    if (wanted.startsWith(":")) return !words_after.get(prefixOf(route.segments, i))?.has(segments[i] ?? "");
    return wanted === segments[i];
  }

  function matches(route: Route, segments: readonly string[]): boolean {
    const wild = route.segments.indexOf("*");
    const length = wild === -1 ? route.segments.length : wild;
    if (wild === -1 ? segments.length !== length : segments.length < length) return false;
    return segments.slice(0, length).every((_, i) => fits(route, segments, i));
  }

  /**
   * Slashes may come doubled, as the older client writes them, yet `/v1/vouchers//redemption` is not about the voucher
   * "redemption": the caller's code was empty.
   */
  function hasEmptyId(path: string): boolean {
    const behind_base = path.replace(/^(\/+(?:client|management))?(\/+v\d)\/+/, "$1$2/").replace(/^\/+/, "");
    const segments = behind_base.replace(/\/+$/, "").split("/");
    return segments.includes("") && routes.some((route) => matches(route, segments));
  }

  function methodsOf(path: string): string[] {
    const segments = segmentsOf(path).map(decoded);
    const known = new Set(routes.filter((route) => matches(route, segments)).map(({ method }) => method));
    return methods_in_order.filter((method) => known.has(method));
  }

  function refusalOf(request: FastifyRequest): Error {
    const path = pathOf(request);
    const methods = methodsOf(path);
    // A folder of files has the method, and this request found none of them.
    const is_file = methods.includes(request.method === "HEAD" ? "GET" : request.method);
    if (methods.length === 0 || is_file || hasEmptyId(path)) return problems.unknownPath(request.method, path);
    return problems.methodNotAllowed(request.method, methods);
  }

  return { refusalOf, methodsOf };
}

/** Answers what found no route, and browsers' questions about a known path. */
export function answerUnrouted(
  app: Pick<FastifyInstance, "addHook" | "setNotFoundHandler">,
  { refusalOf, methodsOf }: Paths,
) {
  app.addHook("onRequest", (request, reply, done) => {
    const is_question = request.method === "OPTIONS";
    const is_known = is_question ? methodsOf(pathOf(request)).length > 0 : !request.is404;
    // Before its body is read: what nobody serves is no better or worse for what was sent there.
    if (!is_known) done(refusalOf(request));
    else if (is_question) void reply.code(204).send();
    else done();
  });
  app.setNotFoundHandler((request: FastifyRequest) => {
    throw refusalOf(request);
  });
}

const pathOf = ({ url }: FastifyRequest): string => url.split("?")[0] ?? "";

/** Neither doubled slashes nor one at the end make a segment. */
const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

/** The path before a segment, with `*` for the ids in it. */
const prefixOf = (segments: readonly string[], i: number): string =>
  segments
    .slice(0, i)
    .map((segment) => `/${segment.startsWith(":") ? "*" : segment}`)
    .join("");

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
