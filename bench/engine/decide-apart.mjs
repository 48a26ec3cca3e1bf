// `decide`, `decide_stack` and `decide_large`, each measured in a process of its own (apart.mjs).
import { ALWAYS, compileDiscount, compileRule, compileWindow, DEFAULT_STACKING_RULES, decide } from "@guerdon/engine";
import { NotAsExpected } from "../as-expected.mjs";
import { cartOf, customer, gift, isChosen, metadata, openingOf, stackOf } from "./closures.mjs";
import { cpuTimed, inTurn, profiledAges, randomOf } from "./timing.mjs";

const instant = Date.parse("2026-03-04T12:00:00Z");
const carts_count = 64;
/** The floor takes hardly longer than reading the clock. */
const floor_calls = 50;

const window = compileWindow(
  { ...ALWAYS, start_date: Date.parse("2026-01-01"), expiration_date: Date.parse("2027-01-01") },
  "UTC",
);
const campaign = { id: "camp_1", active: true, window, category: null };

function ruleOf(id, source) {
  const answer = compileRule({ id, ...source });
  if ("fault" in answer) throw new Error(answer.fault.details);
  return answer.rule;
}

/** A code of a campaign, with its rules, as the server hands it to the engine. */
const voucherOf = ({ discount, rules }, i) => ({
  object: "voucher",
  id: `v_${i}`,
  code: `CODE-${i}`,
  type: "DISCOUNT_VOUCHER",
  is_referral_code: false,
  category: null,
  campaign,
  active: true,
  window,
  discount: compileDiscount(discount),
  rules: rules.map((source, at) => ruleOf(`val_${i}_${at}`, source)),
  counters: new Map(),
  quantity: 1000,
  redeemed_quantity: 10,
  held_quantity: 0,
  holder_id: null,
  referrer_id: null,
  gift: null,
  loyalty_card: null,
});

const factsOf = (redeemables, items) => ({
  time_zone: "UTC",
  stacking_rules: { ...DEFAULT_STACKING_RULES, applicable_redeemables_limit: 30 },
  customer,
  order: { items, metadata },
  metadata: {},
  redeemables,
  unit_objects: new Map([[gift.id, { product: gift, sku: null }]]),
  in_collection: (_id, line) => isChosen(line),
});

export function measure({ lines, redeemables, rounds, seconds, only_profile }) {
  const stack = stackOf(redeemables);
  const vouchers = stack.map(voucherOf);
  const carts = Array.from({ length: carts_count }, (_, k) => cartOf(lines, randomOf(k)));
  const facts = carts.map((items) => factsOf(vouchers, items));
  const ours = (i) => decide(facts[i % carts_count], instant);
  if (only_profile) return profiledAges(ours, seconds);
  const floor = (i) => byHand(stack, carts[i % carts_count]);
  carts.forEach((_, i) => {
    assertSame(ours(i), floor(i), i);
  });
  const sides = [{ work: ours }, { work: floor, calls: floor_calls }];
  const [our_rounds, floor_rounds] = inTurn(sides, { rounds, seconds });
  return { our_rounds, floor_rounds, ...cpuTimed(ours, seconds), rss_mb: process.memoryUsage().rss / 2 ** 20 };
}

/** The floor: conditions asked and sums done, nothing else; no explanation, no refusal, no counters. */
function byHand(stack, items) {
  const order = openingOf(items);
  let valid = true;
  for (const { holds, takeOff } of stack) {
    if (holds(order)) takeOff(order);
    else valid = false;
  }
  return { valid, order };
}

function assertSame({ valid, order }, floor, k) {
  const said = [
    valid,
    order.amount,
    order.discount_amount,
    ...order.lines.map(({ discount_amount }) => discount_amount),
  ];
  const by_hand = floor.order;
  const expected = [floor.valid, by_hand.amount, by_hand.discount, ...by_hand.lines.map(({ discount }) => discount)];
  const at = expected.findIndex((value, i) => value !== said[i]);
  if (!valid || at >= 0 || said.length !== expected.length)
    throw new NotAsExpected(`cart ${k}: ${said[at]} is decided where by hand it is ${expected[at]}`);
}
