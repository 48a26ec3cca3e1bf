import ipaddr from "ipaddr.js";

const global_unicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address is one of the open Internet: not of this machine, of a private or shared network, of a cloud's own
 * services (169.254.169.254), of a tunnel that leads to such. An IPv4 address inside an IPv6 one is judged as what it is.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  // The library takes `::7f00:1` for a common one: 127.0.0.1 as it was written before mapped addresses.
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(global_unicast);
}
