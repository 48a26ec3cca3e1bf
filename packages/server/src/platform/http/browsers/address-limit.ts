import rateLimit, { type FastifyRateLimitStore } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { problems } from "../problems.js";

/** How often one address may call. */
export interface AddressLimit {
  calls_max: number;
  /** Length of the sliding window. */
  window_ms: number;
  /** Addresses remembered; beyond them the one that has been silent longest is forgotten, and begins anew. */
  addresses_max: number;
}

/** What the library wants to know of a call. */
export interface CallCount {
  /** Calls in the window, this one included; one more than granted where it is refused. */
  current: number;
  /** Milliseconds until the oldest leaves the window. */
  ttl: number;
}

/** Counts a call of an address at an instant. */
export type CountCall = (address: string, instant: number) => CallCount | Promise<CallCount>;

/** How many calls are remembered of all addresses together: some 30 MB where each has made five. */
const calls_remembered_max = 500_000;

/** What the client side of the API grants unless the operator says otherwise (platform.md §5, §13). */
export const client_side_limit: AddressLimit = limitPerAddress(5, 5);

/** The more calls an address may make, the fewer addresses are remembered, so that memory stays what it is. */
export function limitPerAddress(calls_max: number, window_s: number): AddressLimit {
  return { calls_max, window_ms: window_s * 1000, addresses_max: Math.floor(calls_remembered_max / calls_max) };
}

/** Makes {@link addressLimiter} possible; nothing is limited by it alone. */
export const addAddressLimits = (app: { register: FastifyInstance["register"] }) =>
  app.register(rateLimit, { global: false, store: NoWindows });

/**
 * Counts a call of an address each time it is asked, and throws the refusal, 429, where that is one too many, until the
 * oldest has left the window (platform.md §5). Ask it behind authentication: refused credentials do not count. Addresses of IPv6
 * count by their first 64 bits, which one customer of a network has. The address is the connection's: behind a proxy all
 * callers share one, unless `GUERDON_TRUSTED_PROXIES` names it.
 * @param now milliseconds since 1970
 * @param count where calls are counted for several processes together; they are counted here unless it is given
 */
export function addressLimiter(
  app: Pick<FastifyInstance, "createRateLimit">,
  limit: AddressLimit,
  now: () => number,
  count: CountCall = slidingWindows(limit),
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const windows = { max: limit.calls_max, timeWindow: limit.window_ms, store_of_child: storeOf(count, now) };
  const countCall = app.createRateLimit(windows);
  return async (request, reply) => {
    const counted = await countCall(request);
    if (counted.isAllowed) return;
    void reply.headers({
      "x-rate-limit-limit": String(limit.calls_max),
      "x-rate-limit-remaining": String(counted.remaining),
      "x-rate-limit-retry": counted.remaining > 0 ? "0" : String(Math.ceil((now() + counted.ttl) / 1000)),
    });
    if (counted.isExceeded) throw problems.tooManyCalls(Math.ceil(counted.ttl / 1000));
  };
}

/** The library asks one store for those of all limits; each of ours brings its own. */
class NoWindows implements FastifyRateLimitStore {
  incr(_address: string, answer: (error: Error | null) => void): void {
    answer(new Error("a limit without windows"));
  }

  child(options: object): FastifyRateLimitStore {
    return (options as { store_of_child: FastifyRateLimitStore }).store_of_child;
  }
}

function storeOf(count: CountCall, now: () => number): FastifyRateLimitStore {
  const store: FastifyRateLimitStore = {
    incr(address, answer) {
      Promise.resolve(count(address, now())).then(
        (counted) => answer(null, counted),
        () => answer(problems.busy("Calls cannot be counted just now. Try again.")),
      );
    },
    child: () => store,
  };
  return store;
}

/** The library's own store counts in fixed windows, which let twice as many calls through around their border. */
export function slidingWindows({ calls_max, window_ms, addresses_max }: AddressLimit) {
  /** When each address called, oldest first; the addresses by their latest call. */
  const calls_of = new Map<string, number[]>();
  return (address: string, instant: number): CallCount => {
    const calls = (calls_of.get(address) ?? []).filter((called) => called > instant - window_ms);
    const is_granted = calls.length < calls_max;
    // A refused call does not count, or a caller that never pauses would never be heard again.
    if (is_granted) calls.push(instant);
    calls_of.delete(address);
    calls_of.set(address, calls);
    const [silent_longest] = calls_of.size > addresses_max ? calls_of.keys() : [];
    if (silent_longest !== undefined) calls_of.delete(silent_longest);
    const ttl = (calls[0] ?? instant) + window_ms - instant;
    return { current: is_granted ? calls.length : calls_max + 1, ttl };
  };
}

// What it adds to an application, for the compiler.
import type {} from "@fastify/rate-limit";
