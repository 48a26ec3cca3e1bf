// What the hostile project does: of each kind the worst that the service takes, found by asking for ever less.
import { NotAsExpected } from "./as-expected.mjs";

const discount = { type: "AMOUNT", amount_off: 1 };
const leaf = (name, conditions, more = {}) => ({ name, property: null, conditions, ...more });
const isTaken = ({ status }) => status < 300;
const repeat = (count, client) => Array.from({ length: count }, () => client);
const code = (attack, i) => `${attack}-${i}`;

/** The product of the three is what a decision costs; tried from the largest on. */
function* largestFirst(...choices) {
  const all = choices.reduce((made, choice) => made.flatMap((one) => choice.map((size) => [...one, size])), [[]]);
  const product = (sizes) => sizes.reduce((one, size) => one * size, 1);
  yield* all.toSorted((a, b) => product(b) - product(a));
}

/** So many vouchers under the rule, if it is taken. */
async function vouchersUnder(ask, attack, rules, count) {
  const rule = await ask("POST", "/v1/validation-rules", { name: attack, rules: { 1: rules, logic: "1" } });
  if (!isTaken(rule)) return null;
  const validation_rules = [JSON.parse(rule.text).id];
  const redeemables = Array.from({ length: count }, (_, i) => ({ object: "voucher", id: code(attack, i) }));
  for (const { id } of redeemables) {
    await ask("DELETE", `/v1/vouchers/${id}?force=true`);
    const made = await ask("POST", `/v1/vouchers/${id}`, { discount, validation_rules });
    if (!isTaken(made)) throw new NotAsExpected(`a voucher answers ${made.status}: ${made.text}`);
  }
  return redeemables;
}

/** Many operands against a long text that holds almost each of them. */
async function rule(ask) {
  for (const [operands, characters, vouchers] of largestFirst(
    [9000, 3000, 1000, 300, 100],
    [65_000, 16_000, 4_000],
    [30, 5, 1],
  )) {
    const $contains = Array.from({ length: operands }, (_, i) => `${"a".repeat(12)}${i.toString(36)}!`);
    const rules = leaf("order.metadata", { $contains }, { property: "text" });
    const redeemables = await vouchersUnder(ask, "RULE", rules, vouchers);
    if (redeemables === null) continue;
    const order = { amount: 5000, metadata: { text: "a".repeat(characters) } };
    const body = JSON.stringify({ redeemables, order });
    const client = () => ask("POST", "/v1/validations", body);
    if (!isTaken(await client())) continue;
    return {
      clients: repeat(4, client),
      said: `${operands} operands of \`$contains\`, ${vouchers} vouchers, ${characters} characters, 4 clients`,
    };
  }
  throw new NotAsExpected("no rule is taken");
}

/** Many lines, each held against many operands of rules that are nested under it. */
async function cart(ask) {
  for (const [lines, operands, characters, vouchers] of largestFirst(
    [500, 100],
    [9000, 900, 90],
    [1_000, 100],
    [30, 5],
  )) {
    const $contains = Array.from({ length: operands }, (_, i) => `${"a".repeat(12)}${i.toString(36)}!`);
    const nested = leaf("order.items.metadata", { $contains }, { property: "text" });
    const others = { $is_not: [{ object: "product", id: "prod_none" }] };
    const rules = leaf("order.items.any", others, { rules: { 1: nested, logic: "1" } });
    const redeemables = await vouchersUnder(ask, "CART", rules, vouchers);
    if (redeemables === null) continue;
    const of_line = { text: "a".repeat(characters) };
    const items = Array.from({ length: lines }, (_, i) => ({
      product_id: `prod_${i}`,
      quantity: 1,
      price: 100,
      metadata: of_line,
    }));
    const body = JSON.stringify({ redeemables, order: { items } });
    const client = () => ask("POST", "/v1/validations", body);
    if (!isTaken(await client())) continue;
    return {
      clients: repeat(4, client),
      said: `${lines} lines of ${characters} characters, ${operands} operands nested under \`order.items.any\`, ${vouchers} vouchers, 4 clients`,
    };
  }
  throw new NotAsExpected("no cart is taken");
}

/** One customer whose metadata is written whole again and again. */
async function metadata(ask) {
  for (const [bytes] of largestFirst([10_000_000, 1_000_000, 250_000, 64_000, 16_000])) {
    let written = 0;
    const client = () =>
      ask("POST", "/v1/customers", { source_id: "LARGE", metadata: { written: ++written, text: "x".repeat(bytes) } });
    if (!isTaken(await client())) continue;
    return { clients: repeat(32, client), said: `${bytes} bytes of metadata of one customer, 32 clients` };
  }
  throw new NotAsExpected("no metadata is taken");
}

/** Locks of one voucher, each in a session of its own that ends soon, and so many that last. */
async function sessions(ask) {
  const [clients, lasting] = [64, 2_000];
  const quantity = 1_000_000_000;
  const made = await ask("POST", "/v1/vouchers/HELD", { discount, redemption: { quantity } });
  if (!isTaken(made)) throw new NotAsExpected(`a voucher answers ${made.status}: ${made.text}`);
  let opened = 0;
  const lock = (ttl) => {
    opened += 1;
    const session = { type: "LOCK", key: `session-${opened}`, ttl, ttl_unit: "MILLISECONDS" };
    return ask("POST", "/v1/validations", {
      redeemables: [{ object: "voucher", id: "HELD" }],
      order: { amount: 5000 },
      session,
    });
  };
  for (let i = 0; i < lasting / clients; i += 1)
    await Promise.all(repeat(clients, () => lock(24 * 3_600_000)).map((one) => one()));
  return {
    clients: repeat(clients, () => lock(1)),
    said: `locks of one voucher, ${lasting} of them last, ${clients} clients`,
  };
}

export const attacks = { rule, cart, metadata, sessions };
