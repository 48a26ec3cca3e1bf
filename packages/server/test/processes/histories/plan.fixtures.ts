import fc from "fast-check";

/** What a history is about. A limit is a rule of a campaign, or of a voucher alone, which stays assigned there. */
export const campaigns = {
  COUNTED: { limit: "campaign.redemptions.count", bounds: [0, 40] },
  "PER-CUSTOMER": { limit: "campaign.redemptions.customers_count", bounds: [0, 8] },
  BUDGET: { limit: "campaign.orders.amount_discounted", bounds: [0, 6_000] },
  CREDITS: { limit: "redemption.gift.amount", bounds: [0, 9_000] },
} as const;
export type CampaignName = keyof typeof campaigns;

interface VoucherPlan {
  campaign: CampaignName | null;
  /** What it takes off an order, in minor units; null: it is a gift card. */
  amount_off: number | null;
  /** Of a gift card. */
  balance: number | null;
  quantity: number | null;
}

const coupon = (campaign: CampaignName | null, amount_off: number, quantity: number | null): VoucherPlan => ({
  campaign,
  amount_off,
  balance: null,
  quantity,
});
const card = (campaign: CampaignName | null, balance: number): VoucherPlan => ({
  campaign,
  amount_off: null,
  balance,
  quantity: null,
});

export const vouchers: Record<string, VoucherPlan> = {
  ONE: coupon(null, 100, 1),
  THREE: coupon(null, 200, 3),
  TEN: coupon(null, 300, 10),
  ANY: coupon(null, 100, null),
  "CARD-1": card(null, 3_000),
  "CARD-2": card(null, 50_000),
  "COUNTED-1": coupon("COUNTED", 100, null),
  "COUNTED-2": coupon("COUNTED", 100, 12),
  "COUNTED-3": coupon("COUNTED", 100, null),
  "CUSTOMER-1": coupon("PER-CUSTOMER", 100, null),
  "CUSTOMER-2": coupon("PER-CUSTOMER", 150, null),
  "BUDGET-1": coupon("BUDGET", 400, null),
  "BUDGET-2": coupon("BUDGET", 700, null),
  "CREDITS-1": card("CREDITS", 8_000),
  "CREDITS-2": card("CREDITS", 20_000),
};
export const customers = ["ann", "bob", "cleo"] as const;

export interface Redeemable {
  code: string;
  /** Of a gift card. */
  credits?: number;
}

export interface Asked {
  redeemables: Redeemable[];
  customer: string | null;
  amount: number;
  session: string | null;
}

export type Operation = { node: number } & (
  | ({ does: "redeem" | "lock" | "validate" } & Asked)
  | { does: "roll_back"; pick: number; id?: string }
  | { does: "release"; code: string; session: string }
  | { does: "switch_voucher"; code: string; active: boolean }
  | { does: "switch_campaign"; campaign: CampaignName; active: boolean }
  | { does: "bound"; limit: CampaignName; bound: number }
  | { does: "assign" | "unassign"; limit: CampaignName }
);

const codes = Object.keys(vouchers);
const names = Object.keys(campaigns) as CampaignName[];
const sessions = ["one", "two", "three", "four"];

const redeemable = (code: string): fc.Arbitrary<Redeemable> =>
  vouchers[code]?.amount_off === null
    ? fc.integer({ min: 1, max: 20 }).map((hundreds) => ({ code, credits: hundreds * 100 }))
    : fc.constant({ code });

/** Amounts that nothing asked for uses up, so that no discount is cut off by what is left to pay. */
const amount = fc.integer({ min: 10, max: 30 }).map((thousands) => thousands * 1_000);
const customer = fc.option(fc.constantFrom(...customers), { nil: null, freq: 4 });
const some = (codes_max: number) =>
  fc
    .uniqueArray(fc.constantFrom(...codes), { minLength: 1, maxLength: codes_max })
    .chain((chosen) => fc.tuple(...chosen.map(redeemable)));
const asking = (does: "redeem" | "lock" | "validate", codes_max: number, session: fc.Arbitrary<string | null>) =>
  fc.record({ does: fc.constant(does), redeemables: some(codes_max), customer, amount, session });

const seldom = fc.option(fc.constantFrom(...sessions), { nil: null, freq: 1 });
const node = fc.integer({ min: 0, max: 1 });
const anything = fc.oneof(
  { weight: 40, arbitrary: asking("redeem", 1, seldom) },
  { weight: 14, arbitrary: asking("redeem", 3, fc.constant(null)) },
  { weight: 24, arbitrary: fc.record({ does: fc.constant("roll_back"), pick: fc.nat(10_000) }) },
  { weight: 8, arbitrary: asking("lock", 2, fc.constantFrom(...sessions)) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("release"),
      code: fc.constantFrom(...codes),
      session: fc.constantFrom(...sessions),
    }),
  },
  { weight: 6, arbitrary: asking("validate", 1, seldom) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("switch_voucher"),
      code: fc.constantFrom(...codes),
      active: fc.nat(3).map((n) => n > 0),
    }),
  },
);
/** A switched-off campaign is switched on again by whoever switches next, and so are a voucher and a limit. */
const edit = fc.record({
  kind: fc.constantFrom("switch", "bound", "assign", "assign"),
  part: fc.nat(8),
  on: fc.nat(3),
});

/** Of the lanes that edit something, one operation in so many does. */
const edit_each = 4;

/** What each lane does. Limits and switches of a campaign belong to one lane, so that each edit is there to be made. */
export function planOf(seed: number, lanes: number, operations: number): Operation[][] {
  const each = Math.ceil(operations / lanes);
  return Array.from({ length: lanes }, (_, lane) => {
    const own = names.filter((_, i) => i % lanes === lane);
    const of_lane = { seed: seed * 1_000 + lane, numRuns: each };
    const nodes = fc.sample(node, of_lane);
    const edits = fc.sample(edit, of_lane);
    const editor = editorOf(own);
    return fc.sample(anything, of_lane).map((one, i): Operation => {
      const made = own.length > 0 && i % edit_each === 0 ? editor(edits[i] as Edit) : one;
      return { ...(made as Operation), node: nodes[i] ?? 0 };
    });
  });
}

interface Edit {
  kind: string;
  part: number;
  on: number;
}

/** Edits that fit what the ones before them have left. */
function editorOf(own: readonly CampaignName[]) {
  const assigned = new Set<CampaignName>();
  let turn = 0;
  return ({ kind, part, on }: Edit) => {
    turn += 1;
    const name = own[turn % own.length] as CampaignName;
    const [low, high] = campaigns[name].bounds;
    if (kind === "switch") return { does: "switch_campaign", campaign: name, active: on > 0 };
    if (kind === "bound")
      return { does: "bound", limit: name, bound: Math.round(low + ((high - low) * (part + 1)) / 9) };
    if (assigned.delete(name)) return { does: "unassign", limit: name };
    assigned.add(name);
    return { does: "assign", limit: name };
  };
}
