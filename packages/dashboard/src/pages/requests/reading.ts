import type { Request } from "./requests.queries.js";

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same call for a terminal; whoever sends it puts their own key in. */
export function curlOf({ method, path, request_body }: Pick<Request, "method" | "path" | "request_body">): string {
  const is_page = path.startsWith("/client/");
  const [id, token] = is_page ? ["X-Client-Application-Id", "X-Client-Token"] : ["X-App-Id", "X-App-Token"];
  return [
    `curl -X ${method} ${quoted(location.origin + path)}`,
    `-H '${id}: APP_ID'`,
    `-H '${token}: APP_TOKEN'`,
    ...(is_page ? ["-H 'Origin: https://shop.example'"] : []),
    ...(request_body ? ["-H 'Content-Type: application/json'", `-d ${quoted(request_body)}`] : []),
  ].join(" \\\n  ");
}

interface Said {
  message?: string | undefined;
  details?: string | undefined;
  /** The code that was refused. */
  voucher?: string | undefined;
}

/** What a refusal says of itself, as far as it was kept. */
export function refusalIn(body: string | null): Said {
  let said: Record<string, unknown> = {};
  try {
    said = (JSON.parse(body ?? "{}") ?? {}) as Record<string, unknown>;
  } catch {
    // A body that was cut off, or that a proxy wrote: its text stands below.
  }
  const text = (name: string) => (typeof said[name] === "string" ? (said[name] as string) : undefined);
  return {
    message: text("message"),
    details: text("details"),
    voucher: text("resource_type") === "voucher" ? text("resource_id") : undefined,
  };
}
