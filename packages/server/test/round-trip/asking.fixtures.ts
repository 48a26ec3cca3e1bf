import type { Dice } from "../harness/seeded.js";
import type { TestProject } from "../harness/service.js";
import type { Twins } from "./copy.fixtures.js";
import { names } from "./shop.fixtures.js";

interface Redeemables {
  vouchers: string[];
  tiers: string[];
  stacks: string[];
}

/** What can be asked for in a project, by its ids there. */
export async function redeemablesOf({ api }: TestProject): Promise<Redeemables> {
  const codes = (await api.get("/v1/vouchers?limit=100", 200)).body.vouchers.map((one: { code: string }) => one.code);
  const idsIn = async (path: string, key: string) =>
    (await api.get(`${path}?limit=100`, 200)).body[key].map((one: { id: string }) => one.id);
  return {
    vouchers: [...codes.sort(), "NOBODY-HAS-IT"],
    tiers: await idsIn("/v1/promotions/tiers", "tiers"),
    stacks: await idsIn("/v1/promotions/stacks", "data"),
  };
}

/** A validation drawn by lot: some redeemables, a customer or none, an order or none. */
export function aValidation(dice: Dice, { vouchers, tiers, stacks }: Redeemables): object {
  const one = <T>(of: readonly T[]): T => of[dice(of.length)] as T;
  const redeemable = () => {
    const kind = dice(10);
    if (kind === 0) return { object: "promotion_stack", id: one(stacks) };
    if (kind < 3) return { object: "promotion_tier", id: one(tiers) };
    const id = one(vouchers);
    if (/^(GIFT|CARD)/.test(id)) return { object: "voucher", id, gift: { credits: 1 + dice(6_000) } };
    return { object: "voucher", id: dice(4) ? id : id.toLowerCase() };
  };
  const item = () => {
    const quantity = 1 + dice(3);
    const price = dice(4) ? { price: 100 * (1 + dice(20)) } : {};
    if (dice(3) === 0) return { source_id: one(names.skus), related_object: "sku", quantity, ...price };
    if (dice(6) === 0) return { source_id: "unknown tea", related_object: "product", quantity, price: 777 };
    return { source_id: one(names.products), related_object: "product", quantity, ...price };
  };
  const many = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
  const order = [
    {},
    { order: { amount: 100 * dice(80) } },
    ...many(3, () => ({ order: { items: many(1 + dice(4), item) } })),
  ];
  const known = { source_id: one(names.customers) };
  const customer = [
    {},
    { customer: { ...known, metadata: { shop: "Gdynia" } } },
    { customer: { source_id: "a stranger" } },
  ];
  const asked = new Map(many(1 + dice(2) * dice(4), redeemable).map((sent) => [sent.id.toUpperCase(), sent]));
  return {
    redeemables: [...asked.values()],
    ...one(order),
    ...one([...customer, { customer: known }, { customer: known }]),
  };
}

/** How a project answers, in the ids of the other one, or what is told of a request alone left out. */
export async function answerOf({ api }: TestProject, asked: object, twins?: Twins): Promise<unknown> {
  const { status, body } = await api.post("/v1/validations", asked);
  return { status, body: withoutWhen(twins ? twins.in(body) : body) };
}

/** Beside these the effect that a discount has where none is said: an import wants it said. */
const told_of_requests = ["tracking_id", "request_id", "created_at", "updated_at", "resource_id"];

function withoutWhen(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/^(valid|rf|ordli)_\w+$/, "of this request");
  if (Array.isArray(value)) return value.map(withoutWhen);
  if (typeof value !== "object" || value === null) return value;
  const isTold = ([key, one]: [string, unknown]) =>
    !told_of_requests.includes(key) && !(key === "effect" && one === "APPLY_TO_ORDER");
  const entries = Object.entries(value).filter(isTold);
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutWhen(one)]));
}
