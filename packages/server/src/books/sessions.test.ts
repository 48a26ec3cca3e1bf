import fc from "fast-check";
import { expect, test } from "vitest";
import { startService } from "../../test/harness/service.js";
import { type Instant, isoOf } from "../platform/clock.js";
import { sql } from "../platform/db/sql.js";
import { liveSums, type OpenSession, writeSessions } from "./sessions.store.js";

const { anotherProject, clock, context, project, runDue } = await startService();
const { db } = context;

const day = 86_400_000;
let made = 0;
const aVoucher = () => `v_${++made}`;

const write = (...sessions: Parameters<typeof writeSessions>[1][number][]) =>
  db.transaction(async (tx) => tx.send(writeSessions(project.id, sessions)));

const voucherOf = (id: string) => ({ project_id: sql`${project.id}`, id: sql`${id}` });
const summed = (voucher_id: string, at: Instant) =>
  db.one<{ sessions: number; credits: number }>(sql`
    select live.sessions, live.credits from ${liveSums(voucherOf(voucher_id), at)} as live`);

/** What is live by definition. */
const counted = (voucher_id: string, at: Instant) =>
  db.one<{ sessions: number; credits: number }>(sql`
    select count(*) as sessions, coalesce(sum(voucher_sessions.credits), 0)::bigint as credits from voucher_sessions
     where voucher_sessions.project_id = ${project.id} and voucher_sessions.voucher_id = ${voucher_id}
       and voucher_sessions.expires_at > ${isoOf(at)}`);

test("what live locks hold is the sum of them, at any instant, whatever is opened, replaced, given up and purged", async () => {
  const ms = fc.oneof(
    fc.constantFrom(1, 9_999, 10_000, 10_001, 7_199_999, 7_200_000, 7_200_001, day, 30 * day),
    fc.integer({ min: 1, max: 60_000 }),
    fc.integer({ min: 1, max: 30 * day }),
  );
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ does: fc.constant("open" as const), key: fc.nat(5), ms }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("end" as const), key: fc.nat(5), ms }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("wait" as const), key: fc.nat(5), ms }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("purge" as const), key: fc.nat(5), ms }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const voucher_id = aVoucher();
      for (const { does, key, ms } of steps) {
        const session = { voucher_id, session_key: `key-${key}` };
        if (does === "open") await write({ ...session, credits: ms % 97, expires_at: isoOf(clock.now() + ms) });
        if (does === "end") await write({ ...session, expires_at: null });
        if (does === "wait") clock.advance({ ms });
        if (does === "purge") await runDue();
        const now = clock.now();
        for (const at of [now, now + 1, now + ms, now + Math.floor(ms / 2)]) {
          expect(await summed(voucher_id, at)).toEqual(await counted(voucher_id, at));
        }
      }
    }),
    { numRuns: 12 },
  );
}, 60_000);

test("of 100,000 locks a decision reads a thousand rows and what ends within ten seconds", async () => {
  const voucher_id = aVoucher();
  const now = clock.now();
  const count = 100_000;
  const locks = Array.from({ length: count }, (_, i): OpenSession => {
    const expires_at = isoOf(now + 1 + Math.floor((i / count) * 30 * day));
    return { voucher_id, session_key: `key-${i}`, credits: 1, expires_at };
  });
  await write(...locks);
  await db.run(sql`analyze voucher_sessions, voucher_session_sums`);
  const [explained] = await db.many<{ "QUERY PLAN": [{ Plan: Plan }] }>(sql`
    explain (analyze, format json) select live.sessions from ${liveSums(voucherOf(voucher_id), now)} as live`);
  expect(rowsRead(explained?.["QUERY PLAN"][0].Plan)).toBeLessThan(1_200);
  expect(await summed(voucher_id, now)).toEqual({ sessions: count, credits: count });
}, 60_000);

test("a session that has expired holds nothing, and is taken away on schedule", async () => {
  const { api, id: project_id } = await anotherProject();
  const discount = { type: "AMOUNT", amount_off: 100 };
  await api.post("/v1/vouchers/HELD", { discount, redemption: { quantity: 1 } }, 200);
  const redeemables = [{ object: "voucher", id: "HELD" }];
  const session = { type: "LOCK", ttl: 10, ttl_unit: "MINUTES" };
  const isValid = async (more: object = {}) =>
    (await api.post("/v1/validations", { redeemables, order: { amount: 500 }, ...more }, 200)).body.valid as boolean;
  const stored = async () =>
    (
      await context.db.many(sql`
        select voucher_sessions.session_key from voucher_sessions where voucher_sessions.project_id = ${project_id}`)
    ).length;
  expect(await isValid({ session })).toBe(true);
  await runDue();
  expect(await isValid()).toBe(false);
  expect(await stored()).toBe(1);
  clock.advance({ minutes: 11 });
  // Whether purged or not.
  expect(await isValid()).toBe(true);
  await runDue();
  expect(await stored()).toBe(0);
});

interface Plan {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

function rowsRead(plan: Plan | undefined): number {
  if (!plan) return 0;
  const below = (plan.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), 0);
  const own = (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
  return below + (/ Scan/.test(plan["Node Type"]) && plan["Node Type"] !== "Subquery Scan" ? own : 0);
}
