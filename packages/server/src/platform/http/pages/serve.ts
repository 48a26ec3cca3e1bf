import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.js";
import type { BuiltPages, PageFile } from "./built.js";

/** Exactly these are pages; every other path keeps the API's contract, its refusals included. */
export const page_paths = ["/", "/sign-in", "/welcome", "/p/*", "/org/*", "/me", "/me/*"] as const;

/** No script but our own files, no frame around us. Styles stand in attributes as well. */
const page_headers = {
  "content-security-policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
};

/** An asset's name holds a hash of what is in it. */
const for_ever = "public, max-age=31536000, immutable";

const not_built = "The dashboard was not built: the first lines of the start say why. The API answers all the same.\n";

/** Serves the dashboard's pages from memory; null: where they would be, one line says that they were not built. */
export function servePages(app: App, pages: BuiltPages | null): void {
  const config = { credentials: "none", any_accept: true, cors: false } as const;
  const schema = { hide: true };
  for (const path of page_paths)
    app.get(path, { config, schema }, (request, reply) =>
      pages ? sendPage(request, reply, pages.index, "no-cache") : reply.code(503).type("text/plain").send(not_built),
    );
  for (const [name, file] of pages?.assets ?? [])
    app.get(`/assets/${name}`, { config, schema }, (request, reply) => sendPage(request, reply, file, for_ever));
}

/** Sends a file of ours as the browser takes it packed, or that it has it already. */
export function sendPage({ headers }: FastifyRequest, reply: FastifyReply, file: PageFile, kept: string): FastifyReply {
  void reply.headers({ ...page_headers, "cache-control": kept, etag: file.etag, vary: "accept-encoding" });
  if (known(headers["if-none-match"], file.etag)) return reply.code(304).send();
  void reply.type(file.type);
  const encoding = (["br", "gzip"] as const).find((one) => file[one] && accepts(headers["accept-encoding"], one));
  if (!encoding) return reply.send(file.plain);
  return reply.header("content-encoding", encoding).send(file[encoding]);
}

const known = (sent: string | undefined, etag: string): boolean =>
  (sent ?? "").split(",").some((one) => one.trim() === etag || one.trim() === "*");

/** Whether a list such as `gzip, br;q=0.5` takes an encoding: named, and not with a weight of nothing. */
function accepts(sent: string | string[] | undefined, encoding: string): boolean {
  return String(sent ?? "")
    .split(",")
    .map((one) =>
      one
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/),
    )
    .some(([name, weight]) => name === encoding && !/^q=0(\.0*)?$/.test(weight ?? ""));
}
