// What is asked in the workloads of single requests, and what its answers must say.
import { differs } from "./as-expected.mjs";
import { codeOf } from "./stock.mjs";

const cart = [4500, 1999, 12_900, 700, 350].map((price, i) => ({
  product_id: `prod_${i + 1}`,
  quantity: 1 + (i % 2),
  price,
}));
const cart_amount = cart.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
const discount = Math.round(cart_amount / 10);
const items = JSON.stringify(cart);

/** Picks codes all over the stock, the same ones in every run. */
export function picker(n) {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return codeOf(1 + (Math.floor((state / 2 ** 32) * n) % n));
  };
}

export function validation(n, concurrency) {
  const pick = picker(n);
  return {
    concurrency,
    request() {
      const code = pick();
      return {
        about: { code },
        body: `{"redeemables":[{"object":"voucher","id":"${code}"}],"order":{"items":${items}}}`,
      };
    },
    check({ valid, redeemables: [first], order }, { code }) {
      const said = [valid, first?.id, order?.amount, order?.total_discount_amount];
      return differs(said, [true, code, cart_amount, discount]);
    },
  };
}

/** Every redemption brings a customer and an order that nobody has seen before: the whole set of rows is written. */
export function redemption(pick, prefix, concurrency) {
  let made = 0;
  return {
    concurrency,
    request() {
      const code = pick();
      const name = `${prefix}-${made++}`;
      const body = `{"redeemables":[{"object":"voucher","id":"${code}"}],"customer":{"source_id":"c-${name}"},"order":{"source_id":"o-${name}","items":${items}}}`;
      return { about: { code, name }, body };
    },
    check({ redemptions: [first], order }, { code, name }) {
      const said = [first?.result, first?.voucher?.code, order?.source_id, order?.total_applied_discount_amount];
      return differs(said, ["SUCCESS", code, `o-${name}`, discount]);
    },
  };
}

/** Three codes at once, each of a campaign with a rule, and a budget of redemptions that is counted under the campaign's key. */
export const stack_of = 3;

export function stackRedemption(pick, prefix, concurrency) {
  let made = 0;
  return {
    concurrency,
    request() {
      const codes = new Set();
      while (codes.size < stack_of) codes.add(pick());
      const name = `${prefix}-${made++}`;
      const redeemables = [...codes].map((id) => ({ object: "voucher", id }));
      const customer = { source_id: `c-${name}` };
      return {
        about: { code: [...codes], name },
        body: `{"redeemables":${JSON.stringify(redeemables)},"customer":${JSON.stringify(customer)},"order":{"source_id":"o-${name}","items":${items}}}`,
      };
    },
    check({ redemptions, parent_redemption, order }, { code, name }) {
      const said = [redemptions.length, redemptions[0].voucher?.code, parent_redemption?.result, order?.source_id];
      return differs(said, [stack_of, code[0], "SUCCESS", `o-${name}`]);
    },
  };
}

/** The floor takes the same requests, and says less. */
export const floorOf = (workload) => ({
  ...workload,
  check: ({ valid, code }, about) => differs([valid, [about.code].flat().includes(code)], [true, true]),
});
