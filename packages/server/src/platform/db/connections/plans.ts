import type pg from "pg";
import { type Answered, type Asked, send } from "./packet.js";

/**
 * How a connection plans statements that have a name: once, whatever their values, and by indexes. Left to itself PostgreSQL plans most
 * of them anew each time, which takes as long as what they do; and what is planned beside a table that is nearly empty must hold
 * when that has filled (ADR 61).
 */
const planned_once = planning("force_generic_plan", "off");
const planned_each_time = planning("auto", "on");

function planning(plan_cache_mode: string, enable_seqscan: string): Asked {
  const text = `select set_config('plan_cache_mode', '${plan_cache_mode}', false), set_config('enable_seqscan', '${enable_seqscan}', false)`;
  return { name: `plan_${plan_cache_mode}`, text };
}

/** Of a connection that has just been made. */
export function planOnce(client: pg.PoolClient): void {
  send(client, planned_once).catch(() => undefined);
}

/** Runs one that depends on its values, between settings that leave with it. Where it fails, what they set goes with it. */
export function plannedForValues<Row>(client: pg.PoolClient, asked: Asked): Promise<Answered<Row>> {
  const set = (settings: Asked) => void send(client, settings).catch(() => undefined);
  set(planned_each_time);
  const answered = send<Row>(client, asked);
  set(planned_once);
  return answered;
}

/** The ages of a connection at which it plans anew: a table that fills is large enough to tell its indexes apart by one of them. */
export const plan_ages_ms: readonly number[] = [2_000, 10_000, 60_000, 600_000];

/**
 * Tells when connections are to plan anew. Beside a table that is nearly empty all its indexes cost the same; what was planned by one that finds
 * the whole project reads all of that until something has the server plan again (ADR 114).
 */
export function planningAnew(ages_ms: readonly number[]) {
  const ages = new WeakMap<pg.PoolClient, { made: number; stage: number }>();
  return {
    made(client: pg.PoolClient): void {
      ages.set(client, { made: performance.now(), stage: 0 });
    },
    /** Whether the connection has come to one of the ages since it was asked last. */
    isDue(client: pg.PoolClient): boolean {
      const age = ages.get(client);
      if (!age) return false;
      const { stage } = age;
      while (performance.now() - age.made >= (ages_ms[age.stage] ?? Number.POSITIVE_INFINITY)) age.stage += 1;
      return age.stage > stage;
    },
  };
}

/** Has the connection forget its plans. Should it fail, whoever uses the connection hears of that. */
export const forgetPlans = (client: pg.PoolClient): Promise<unknown> =>
  send(client, { text: "discard plans" }).catch(() => undefined);
