import type { LookupAddress, LookupOptions } from "node:dns";
import { promises as dns } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { isPublic } from "./addresses.js";
import type { Reach } from "./target.js";

/** What a name stands for. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Nothing is sent to such an address; the text is for whoever wrote it down. */
class PrivateAddress extends Error {
  constructor(host: string) {
    super(`${host} is, or stands for, a private or loopback address`);
  }
}

const dns_ms_max = 3_000;

/**
 * Asks the name servers by itself. The system's own look-up holds one of four threads of the process until it has an answer:
 * four names that nobody answers for would keep all others, and every file, waiting.
 */
export const resolvePublic: Resolve = async (hostname) => {
  const resolver = new dns.Resolver({ timeout: dns_ms_max, tries: 1 });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [
    ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && four.status === "rejected") throw four.reason;
  return addresses;
};

/** The same, and names of the machine's own files and network behind them. */
export const resolveAny: Resolve = (hostname) =>
  resolvePublic(hostname).catch(() => dns.lookup(hostname, { all: true }));

/**
 * Connects to public addresses alone, unless private ones are allowed: each address that a name stands for is looked at when
 * the connection is made, so that no name can stand for another one than was looked at, and once more when it is there.
 */
export function connectorTo({ allow_private }: Reach, ms_max: number, resolve: Resolve): buildConnector.connector {
  const mayReach = (address: string) => allow_private || isPublic(address);
  const lookup: LookupFunction = (hostname, options, callback) => {
    lookUp(hostname, options, { resolve, mayReach }).then(
      ([first, ...others]) => {
        if (!first) callback(new Error(`${hostname} stands for no address`), "");
        else if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
  const connect = buildConnector({ timeout: ms_max, lookup } as buildConnector.BuildOptions);
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, "$1");
    // An address is not looked up.
    if (isIP(host) && !mayReach(host)) return callback(new PrivateAddress(host), null);
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (mayReach(socket.remoteAddress ?? "")) return callback(null, socket);
      socket.destroy();
      callback(new PrivateAddress(host), null);
    });
  };
}

interface Looking {
  resolve: Resolve;
  mayReach(address: string): boolean;
}

async function lookUp(hostname: string, { family }: LookupOptions, { resolve, mayReach }: Looking) {
  const addresses = await resolve(hostname);
  if (!addresses.every(({ address }) => mayReach(address))) throw new PrivateAddress(hostname);
  return family === 4 || family === 6 ? addresses.filter((one) => one.family === family) : addresses;
}
