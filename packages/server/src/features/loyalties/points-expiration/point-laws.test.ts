import fc from "fast-check";
import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { aReward, coin, given } from "../../rewards/reward.fixtures.js";
import { aMember, aProgram } from "../loyalty.fixtures.js";

const service = await startService({ now: "2027-05-14T12:00:00Z" });
const { clock, context } = service;

/** What may happen to the cards of a program, as data; cards and redemptions by their place. */
const happening = fc.oneof(
  fc.record({
    does: fc.constant("add" as const),
    card: fc.nat(1),
    points: fc.integer({ min: 1, max: 40 }),
    days: fc.nat(20),
  }),
  fc.record({ does: fc.constant("remove" as const), card: fc.nat(1), points: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ does: fc.constant("spend" as const), card: fc.nat(1), points: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ does: fc.constant("transfer" as const), card: fc.nat(1), points: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ does: fc.constant("undo" as const), place: fc.nat(5) }),
  fc.record({ does: fc.constant("pass" as const), days: fc.integer({ min: 1, max: 12 }), night: fc.boolean() }),
);
type Happening = typeof happening extends fc.Arbitrary<infer Of> ? Of : never;

async function aShop() {
  clock.set("2027-05-14T12:00:00Z");
  const project = await service.anotherProject();
  const { api } = project;
  const expiration_rules = { period_type: "MONTH", period_value: 1, rounding_type: "END_OF_MONTH" };
  const program = await aProgram(project, {
    voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 5, expiration_rules } },
  });
  const members = [await aMember(project, program), await aMember(project, program)];
  const reward = await aReward(project, coin(1, 1));
  await given(project, program, reward, 1);
  return { project, api, program, members, reward, redeemed: [] as string[] };
}
type Shop = Awaited<ReturnType<typeof aShop>>;

async function happens({ api, program, members, reward, redeemed }: Shop, what: Happening): Promise<void> {
  if (what.does === "pass") {
    clock.advance({ days: what.days });
    if (what.night) await service.runDue();
    return;
  }
  if (what.does === "undo") {
    const id = redeemed[what.place];
    if (id) await api.post(`/v1/redemptions/${id}/rollback`, {});
    return;
  }
  const { card, source_id } = members[what.card] as (typeof members)[number];
  const other = members[1 - what.card] as (typeof members)[number];
  const { points } = what;
  if (what.does === "spend") {
    const redeemables = [{ object: "voucher", id: card.code, reward: { id: reward.id, points } }];
    const sent = { redeemables, customer: { source_id }, order: { amount: 10_000 } };
    const { status, body } = await api.post("/v1/redemptions", sent);
    if (status === 200) redeemed.push(body.redemptions[0].id);
  } else if (what.does === "transfer") {
    const sent = [{ code: card.code, points, source_id: "t" }];
    await api.post(`/v1/loyalties/${program.id}/members/${other.card.code}/transfers`, sent);
  } else {
    const expiration_date = new Date(clock.now() + ("days" in what ? what.days : 0) * 86_400_000).toISOString();
    // Some by the rules of the program, some by a day, some for good.
    const dated =
      points % 3 === 0
        ? { expiration_type: "NON_EXPIRING" }
        : points % 3 === 1
          ? { expiration_type: "CUSTOM_DATE", expiration_date }
          : {};
    const amount = what.does === "add" ? points : -points;
    await api.post(`/v1/loyalties/members/${card.code}/balance`, { points: amount, ...dated });
  }
}

/** The invariants of loyalty.md §2.2, by number; pending points are not among what happens here. */
async function faults({ project, api }: Shop): Promise<unknown[]> {
  const cards = await context.db.many<Record<string, number>>(sql`
    select card_balances.*,
           (select coalesce(sum(ledger_entries.amount), 0)::bigint from ledger_entries
             where ledger_entries.project_id = ${project.id}
               and ledger_entries.voucher_id = card_balances.voucher_id) as entries,
           (select coalesce(sum(point_lots.points_left), 0)::bigint from point_lots
             where point_lots.project_id = ${project.id} and point_lots.voucher_id = card_balances.voucher_id
               and point_lots.expired_at is null) as dated,
           (select coalesce(sum(point_lots.points_expired), 0)::bigint from point_lots
             where point_lots.project_id = ${project.id} and point_lots.voucher_id = card_balances.voucher_id) as expired_lots,
           (select coalesce(min(point_lots.points_left), 0) from point_lots
             where point_lots.project_id = ${project.id} and point_lots.voucher_id = card_balances.voucher_id) as least
      from card_balances where card_balances.project_id = ${project.id}`);
  const found: unknown[] = [];
  for (const card of cards) {
    const { opening, added, subtracted, expired, redeemed, balance, entries, dated, expired_lots, least } =
      card as Record<string, number> & { opening: number };
    const id = String(card.voucher_id);
    const { loyalty_card } = (await api.get(`/v1/loyalties/members/${id}`, 200)).body;
    const newest = (await api.get(`/v1/loyalties/members/${id}/transactions?limit=1`, 200)).body.data[0];
    const told = newest?.details.balance;
    const holds: Record<string, boolean> = {
      "1": balance === (added as number) - (subtracted as number) - (expired as number) - (redeemed as number),
      "2": [added, subtracted, expired, redeemed, balance, least].every((sum) => (sum as number) >= 0),
      "3": (dated as number) <= (balance as number),
      "5": !told || told.balance === balance,
      "6": !told || told.total === (added as number) - (subtracted as number) - (expired as number),
      "entries sum to the balance": opening + (entries as number) === balance,
      "lots say what expired": expired_lots === expired,
      "cards show the books": loyalty_card.balance === balance && loyalty_card.points === added,
      "what is next is there": loyalty_card.next_expiration_points <= (balance as number),
    };
    found.push(...Object.keys(holds).filter((name) => !holds[name]));
  }
  return found;
}

test("whatever is earned, spent, handed over, undone and expires, the books of cards hold", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 8, maxLength: 16 }), async (story) => {
      const shop = await aShop();
      for (const what of story) {
        await happens(shop, what);
        expect(await faults(shop)).toEqual([]);
      }
      // Nothing that has a day outlives it.
      clock.advance({ days: 400 });
      await service.runDue();
      const { left } = await context.db.one<{ left: number }>(sql`
        select count(*) as left from point_lots
         where point_lots.project_id = ${shop.project.id} and point_lots.expired_at is null`);
      expect(left).toBe(0);
      expect(await faults(shop)).toEqual([]);
    }),
    { numRuns: 6 },
  );
});
