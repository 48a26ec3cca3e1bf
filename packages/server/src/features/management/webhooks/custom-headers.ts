import type { Context } from "../../../platform/context.js";
import { problems } from "../../../platform/http/problems.js";

/** Headers that a project wants on its messages, by their names in small letters. */
export type CustomHeaders = Readonly<Record<string, string>>;

export const headers_max = 20;
export const header_name_max = 100;
export const header_value_max = 2_000;

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const printable = /^[\x20-\x7e]*$/;

/** What a message says of itself, and what only one connection is about. */
const ours =
  /^(content-|x-voucherify-signature$|webhook-|host$|connection$|keep-alive$|proxy-|te$|trailer$|transfer-encoding$|upgrade$|expect$|user-agent$)/;

/**
 * The headers that were sent, by name in small letters; throws the problem of one that no message could have
 * (events-and-webhooks.md §1).
 * @param path where they stand in what was sent
 */
function readHeaders(sent: Readonly<Record<string, string>>, path = ""): CustomHeaders {
  const headers = new Map<string, string>();
  for (const [written, value] of Object.entries(sent)) {
    const name = written.toLowerCase();
    const refuse = (why: string) => problems.invalidPayload(`Property ${path}.custom_headers '${written}' ${why}`);
    if (!token.test(name)) throw refuse("is no name of a header");
    if (ours.test(name)) throw refuse("is a header that a message has by itself");
    if (headers.has(name)) throw refuse("is named twice");
    if (!printable.test(value) || value !== value.trim())
      throw refuse("must have a value of printable ASCII characters without blanks around it");
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

/** Those of a body: null takes all away, and without a word they stay. */
export const headersIn = (
  { custom_headers }: { custom_headers?: Readonly<Record<string, string>> | null },
  path = "",
): CustomHeaders | undefined => (custom_headers === undefined ? undefined : readHeaders(custom_headers ?? {}, path));

type Sealing = Pick<Context, "seal">;

/** As they are stored; null where there are none. */
const sealHeaders = ({ seal }: Sealing, headers: CustomHeaders): Buffer | null =>
  Object.keys(headers).length === 0 ? null : seal.seal(JSON.stringify(headers));

/** What is stored of an edit: what was there unless something was sent. */
export const headersAfter = (
  sealing: Sealing,
  sent: CustomHeaders | undefined,
  stored: Buffer | null = null,
): Buffer | null => (sent === undefined ? stored : sealHeaders(sealing, sent));

/** Their names, which alone are shown. */
export const headerNames = (sealing: Sealing, sealed: Buffer | null): string[] =>
  Object.keys(openHeaders(sealing, sealed)).sort();

export const openHeaders = ({ seal }: Sealing, sealed: Buffer | null): CustomHeaders =>
  sealed === null ? {} : (JSON.parse(seal.open(sealed)) as CustomHeaders);
