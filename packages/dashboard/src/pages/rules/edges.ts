import { decimalString } from "../../api/money.js";
import type { Project } from "../../api/project.js";
import { conditionsIn, type Leaf, leavesOfRules, type Rules } from "../../parts/rules/logic.js";
import { t } from "../../text/index.js";
import { type CartForm, type Line, metadataName } from "./cart.js";

/** A cart right where a number of the rule decides. */
export interface Edge {
  label: string;
  change: Partial<CartForm>;
}

type Writes = Pick<Project, "money" | "count" | "digits">;
const words = t.rules.tester.edges;
/** As many as the service decides at once, with the cart that is typed. */
const edges_max = 19;

/** Just below each number of a rule, at it and just above, as far as a cart can be there. */
export function edgesOf(rules: Rules, cart: CartForm, project: Writes): Edge[] {
  const edges = leavesOfRules(rules).flatMap((leaf) => [
    ...edgesOfLeaf(leaf, cart, project),
    ...withinItems(leaf, cart, project),
  ]);
  return [...new Map(edges.map((edge) => [edge.label, edge])).values()].slice(0, edges_max);
}

/** Numbers that a condition compares with. */
const numbersIn = (leaf: Leaf): number[] =>
  conditionsIn(leaf).flatMap(([, operands]) => operands.filter((one): one is number => Number.isSafeInteger(one)));

const around = (number: number) => [number - 1, number, number + 1].filter((one) => one >= 0);

function edgesOfLeaf(leaf: Leaf, cart: CartForm, { money, count, digits }: Writes): Edge[] {
  const numbers = numbersIn(leaf).flatMap(around);
  switch (leaf.name) {
    case "order.amount":
    case "order.initial_amount":
    case "order.total_amount":
      return numbers.map((minor) => ({
        label: words.amount(money(minor)),
        // What its lines cost would be another amount.
        change: { amount: decimalString(minor, digits), lines: cart.lines.map((line) => ({ ...line, price: "" })) },
      }));
    case "order.items.count":
      return numbers.map((quantity) => ({
        label: words.items(count(quantity)),
        change: { lines: ofQuantity(cart.lines.slice(0, 1), cart.lines[0]?.what || words.item, quantity) },
      }));
    case "customer.metadata":
    case "order.metadata":
    case "redemption.metadata":
      return numbers.map((number) => ({
        label: words.metadata(leaf.property ?? "", count(number)),
        change: { metadata: { ...cart.metadata, [metadataName(leaf)]: String(number) } },
      }));
    default:
      return [];
  }
}

/** Of a product that is named there can be one more or less. */
function withinItems(leaf: Leaf, cart: CartForm, { count }: Writes): Edge[] {
  const asked = leavesOfRules(leaf.rules).filter(({ name }) => name === "order.items.aggregated_quantity");
  const [first] = conditionsIn(leaf).flatMap(([, operands]) => operands);
  const { id, source_id, object } = (first ?? {}) as { id?: string; source_id?: string; object?: string };
  const what = source_id ?? id;
  if (!what || object === "products_collection") return [];
  return asked
    .flatMap(numbersIn)
    .flatMap(around)
    .map((quantity) => ({
      label: words.of(count(quantity), what),
      change: { lines: ofQuantity(cart.lines, what, quantity) },
    }));
}

/** The same lines, with so much of one thing. */
function ofQuantity(lines: readonly Line[], what: string, quantity: number): Line[] {
  const key = Math.max(-1, ...lines.map(({ key }) => key)) + 1;
  const found = lines.find((line) => line.what.trim() === what) ?? { key, what, quantity: "", price: "" };
  const others = lines.filter(({ key }) => key !== found.key);
  return quantity === 0 ? others : [...others, { ...found, quantity: String(quantity) }];
}
