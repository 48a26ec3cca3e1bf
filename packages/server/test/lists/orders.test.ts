import { expect, test } from "vitest";
import { aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { startService } from "../harness/service.js";

const service = await startService();
const { api, clock, project } = service;

const ten_off = { type: "AMOUNT", amount_off: 1000 };

// Names in both letter cases, in another order than they are made in; ties, and vouchers without either.
const campaigns: string[] = [];
for (const name of ["beta", "Gamma", "alpha"]) campaigns.push((await aProgram(project, { name, type: "STATIC" })).id);
for (let i = 0; i < 12; i += 1) {
  clock.advance({ minutes: i % 2 });
  const code = `${i % 2 ? "s" : "S"}-${(i * 5) % 12}`;
  const category = ["hats", "Shoes", undefined][i % 3];
  if (i % 4 === 0) await api.post(`/v1/vouchers/${code}`, { discount: ten_off, category }, 200);
  else if (i % 4 === 1) await api.post(`/v1/vouchers/${code}`, { type: "GIFT_VOUCHER", gift: { amount: 9 } }, 200);
  else await api.post(`/v1/campaigns/${campaigns[i % 3]}/vouchers/${code}`, { category }, 200);
}
const customers = ["c", "a", "b"];
for (let i = 0; i < 16; i += 1) {
  clock.advance({ minutes: i % 2 });
  const customer = i % 4 === 3 ? {} : { customer: { source_id: customers[i % 3] } };
  const code = `S-${(i * 4) % 12}`;
  // Some fail and are listed all the same.
  await api.post(`/v1/vouchers/${code}/redemption${i % 5 ? `?tracking_id=t-${i % 3}` : ""}`, customer);
}

interface Row {
  id: string;
  created_at?: string;
  date?: string;
}

/** By what it shows, then in the order of creation; what has none stands last. */
function sorted<One extends Row>(rows: One[], shown: (row: One) => string | null | undefined): string[] {
  const last = "\uffff";
  const keys = (row: One) => [shown(row) ?? last, row.created_at ?? row.date ?? "", row.id];
  const compared = (a: string[], b: string[]): number => {
    const at = a.findIndex((key, i) => key !== b[i]);
    return at < 0 ? 0 : (a[at] ?? "") < (b[at] ?? "") ? -1 : 1;
  };
  return rows.toSorted((one, other) => compared(keys(one), keys(other))).map(({ id }) => id);
}

async function walked(url: string, order: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; page <= 4; page += 1) {
    const { body } = await api.get(`${url}?order=${order}&limit=5&page=${page}`, 200);
    ids.push(...body[body.data_ref].map(({ id }: Row) => id));
  }
  return ids;
}

interface Voucher extends Row {
  code: string;
  type: string;
  campaign: string | null;
  category: string | null;
}
interface Redemption extends Row {
  voucher: { code: string } | null;
  tracking_id: string | null;
  customer_id: string | null;
}

const { vouchers } = (await api.get("/v1/vouchers?limit=100", 200)).body as { vouchers: Voucher[] };
const { redemptions } = (await api.get("/v1/redemptions?limit=100", 200)).body as { redemptions: Redemption[] };

test("there is something to sort: each value twice or more, and records without one", () => {
  const valuesOf = (values: unknown[]) => new Set(values).size;
  expect(vouchers).toHaveLength(12);
  expect(redemptions).toHaveLength(16);
  const kept = [
    vouchers.map((one) => one.type),
    vouchers.map((one) => one.category),
    vouchers.map((one) => one.campaign),
  ];
  expect(kept.map(valuesOf)).toEqual([3, 3, 4]);
  expect(redemptions.map((one) => one.customer_id)).toContain(null);
  expect(redemptions.map((one) => one.tracking_id)).toContain(null);
});

test.each<[string, (voucher: Voucher) => string | null]>([
  ["code", ({ code }) => code],
  ["type", ({ type }) => type],
  ["campaign", ({ campaign }) => campaign],
  ["category", ({ category }) => category],
])(
  "vouchers are sorted by %s and then by creation, whatever the page, and the other way round",
  async (name, shown) => {
    expect(await walked("/v1/vouchers", name)).toEqual(sorted(vouchers, shown));
    expect(await walked("/v1/vouchers", `-${name}`)).toEqual(sorted(vouchers, shown).reverse());
  },
);

test.each<[string, (redemption: Redemption) => string | null | undefined]>([
  ["id", () => ""],
  ["voucher_code", ({ voucher }) => voucher?.code],
  ["tracking_id", ({ tracking_id }) => tracking_id],
  ["customer_id", ({ customer_id }) => customer_id],
])(
  "redemptions are sorted by %s and then by creation, whatever the page, and the other way round",
  async (name, shown) => {
    expect(await walked("/v1/redemptions", name)).toEqual(sorted(redemptions, shown));
    expect(await walked("/v1/redemptions", `-${name}`)).toEqual(sorted(redemptions, shown).reverse());
  },
);
