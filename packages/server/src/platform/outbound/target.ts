import { isIP } from "node:net";
import { isPublic } from "./addresses.js";

export interface Reach {
  /** Lets messages go to this machine and to private networks. */
  allow_private: boolean;
}

/** The host of an address as a connection is made to it: without the brackets around IPv6. */
const hostOf = ({ hostname }: Pick<URL, "hostname">): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Why nothing may be sent there, as a text that follows the field's name; null where the address alone says nothing against it. */
export function whyNoTarget(target_url: string, { allow_private }: Reach): string | null {
  const url = URL.canParse(target_url) ? new URL(target_url) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return "must be an address that begins with http:// or https://";
  if (url.username || url.password) return "must not hold a user or password";
  if (allow_private) return null;
  const host = hostOf(url);
  const is_private = isIP(host) ? !isPublic(host) : /(^|\.)localhost\.?$/.test(host);
  return is_private ? "must not be a private or loopback address" : null;
}
