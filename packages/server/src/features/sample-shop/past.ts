import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Apart, Asked, OpenApart } from "./apart.js";
import { day_ms, type LeasedShop, openedAt } from "./sample-shop.js";

// biome-ignore lint/suspicious/noExplicitAny: what the API answers, as a caller reads it
type Told = any;

/** A shop as its owner meets it through the API, at instants that have passed. */
export interface Past {
  /** When a day of it begins, from 1; the one before is that on which it was opened. */
  dayAt(day: number): Instant;
  /** What is asked from here on happens then. */
  turnTo(instant: Instant): void;
  /** Asks, whatever the answer. */
  tryTo(method: Asked["method"], path: string, body?: unknown): Promise<{ is_done: boolean; body: Told }>;
  /** Asks for what must work. */
  api(method: Asked["method"], path: string, body?: unknown): Promise<Told>;
  /** What stays as it is, asked for once: whoever goes on after a death asks again. */
  once<Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer>;
  followUp(): Promise<void>;
  runDue(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the past of a shop. */
export async function openPast(context: Context, openApart: OpenApart, shop: LeasedShop): Promise<Past> {
  if (!shop.key_sealed) throw new Error("a sample shop in the making has its key");
  const key = { "x-app-id": shop.key_id, "x-app-token": context.seal.open(shop.key_sealed) };
  let now = openedAt(shop);
  let sent = 0;
  const known = new Map<string, Promise<unknown>>();
  const apart: Apart = await openApart(context, shop.project_id, { now: () => now });

  async function tryTo(method: Asked["method"], url: string, body?: unknown) {
    // The same request of a day has the same name, so that a day that was broken off can be lived again.
    const named: Record<string, string> = method === "POST" ? { "idempotency-key": `sample ${now} ${sent++}` } : {};
    const answer = await apart.ask({ method, url, headers: { ...key, ...named }, body });
    if (answer.status >= 500 || answer.status === 401)
      throw new Error(`${method} ${url}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return { is_done: answer.status < 300, body: answer.body as Told };
  }

  return {
    dayAt: (day) => openedAt(shop) + (day - 1) * day_ms,
    turnTo(instant) {
      now = instant;
      sent = 0;
    },
    tryTo,
    async api(method, url, body) {
      const { is_done, body: told } = await tryTo(method, url, body);
      if (!is_done) throw new Error(`${method} ${url}: ${JSON.stringify(told)}`);
      return told;
    },
    once<Answer>(name: string, ask: () => Promise<Answer>) {
      const asked = known.get(name) ?? ask();
      known.set(name, asked);
      return asked as Promise<Answer>;
    },
    followUp: apart.followUp,
    runDue: apart.runDue,
    close: apart.close,
  };
}
