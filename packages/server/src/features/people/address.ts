import ipaddr from "ipaddr.js";

/** What counts as one address: of IPv6 the first 64 bits, which one customer of a network has. */
export function addressOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString();
}
