import { oncePer } from "@guerdon/engine";
import ipaddr from "ipaddr.js";
import { problems } from "../../platform/http/problems.js";

type Network = [ipaddr.IPv4, number] | [ipaddr.IPv6, number];

/** IPv4 addresses may come written as those of IPv6, which have so many bits before them. */
const mapped_bits = 96;

/**
 * An address, or a network such as `10.0.0.0/8`, as it is kept: in its shortest spelling, without bits behind the mask, and one of IPv4
 * as such however it came. Null where it is neither.
 */
export function networkOf(text: string): string | null {
  const network = parsed(text);
  if (!network) return null;
  const [address, bits] = network;
  const whole = address.kind() === "ipv4" ? 32 : 128;
  if (bits === whole) return address.toString();
  const family = address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}

function parsed(text: string): Network | null {
  const [written = "", mask, ...rest] = text.trim().split("/");
  const is_v4 = ipaddr.IPv4.isValidFourPartDecimal(written);
  if (rest.length > 0 || !(is_v4 || (ipaddr.IPv6.isValid(written) && !written.includes("%")))) return null;
  const whole = is_v4 ? 32 : 128;
  if (mask !== undefined && !/^\d{1,3}$/.test(mask)) return null;
  const bits = mask === undefined ? whole : Number(mask);
  if (bits > whole) return null;
  if (is_v4) return [ipaddr.IPv4.parse(written), bits];
  const address = ipaddr.IPv6.parse(written);
  if (!address.isIPv4MappedAddress()) return [address, bits];
  return bits < mapped_bits ? null : [address.toIPv4Address(), bits - mapped_bits];
}

/** Read once: a list stays as it is as long as its project's snapshot does. */
const networksIn = oncePer((allowed: readonly string[]): Network[] =>
  allowed.flatMap((one) => {
    const network = parsed(one);
    return network ? [network] : [];
  }),
);

/**
 * Refuses a call from elsewhere; an empty list lets everybody in (platform.md §1, §3). The address is the connection's, or what a proxy
 * that is trusted says it is.
 */
export function assertAllowed(allowed: readonly string[], ip: string): void {
  if (allowed.length === 0) return;
  const address = ipaddr.isValid(ip) ? ipaddr.process(ip) : null;
  const isIn = ([network, bits]: Network) => address?.kind() === network.kind() && address.match(network, bits);
  if (!networksIn(allowed).some(isIn)) throw problems.forbidden("IP address is not allowed");
}
