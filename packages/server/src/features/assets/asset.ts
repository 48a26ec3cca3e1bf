import { createHash } from "node:crypto";
import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";
import type { Drawing } from "./drawings.js";

/** A code as anybody may load it as an image. */
export interface Asset extends Drawing {
  /** The same as long as the image is: the image is made of nothing but what the address says. */
  etag: string;
}

/** To be raised when the same code is drawn in another way. */
const drawn_as = 2;

/**
 * What the address of an image asks for; whoever has the asset's id may load it (vouchers-and-campaigns.md §13). Ids made
 * before they were a project's own, which stand in e-mails that were sent, are read too.
 */
export function assetOf(
  { seal }: Pick<Context, "seal">,
  kind: Drawing["kind"],
  id: string,
  { size = 10, format = "png" }: { size?: number; format?: "png" | "svg" },
): Asset {
  const own = seal.readToken("assets of projects", id);
  const code = own === null ? seal.readToken("assets", id) : own.slice(own.indexOf(" ") + 1);
  if (code === null) throw problems.notFound("asset", id);
  const said = createHash("sha256").update(`${drawn_as} ${kind} ${size} ${format} ${id}`).digest("base64url");
  return { kind, code, size, format, etag: `"${said.slice(0, 22)}"` };
}

/** Whether a caller has the image already (If-None-Match). */
export const isKnown = (etag: string, known: string | undefined): boolean =>
  known?.split(",").some((one) => one.trim().replace(/^W\//, "") === etag) ?? false;
