// A catalogue of promotions: the index, and each promotion's rule and window, kept compiled or as text.
import {
  ALWAYS,
  allOf,
  cartFacts,
  compileRule,
  compileWindow,
  duringDates,
  normaliseOrder,
  predicatesOf,
} from "@guerdon/engine";

const time_zone = "UTC";
const scenario = "ALL";

/** A rule and a window, compiled from their text. */
export function compiled(text) {
  const stored = JSON.parse(text);
  const answer = compileRule(stored);
  if ("fault" in answer) throw new Error(answer.fault.details);
  const { start_date, expiration_date } = stored;
  return { rule: answer.rule, window: compileWindow({ ...ALWAYS, start_date, expiration_date }, time_zone) };
}

/** What the index is told of a promotion. */
export const predicatesFor = ({ rule, window: { start_date, expiration_date } }) =>
  allOf([duringDates(start_date, expiration_date), predicatesOf(rule, scenario)]);

export const applies = ({ rule, window }, context) =>
  window.check(context.instant) === null && rule.judge(context) === null;

/** What a rule looks at, made from a request as the engine is given one. */
export function contextOf({ instant, customer, order, collections }) {
  return {
    facts: { time_zone, customer, order, metadata: {} },
    customer,
    order: normaliseOrder(order),
    order_after: null,
    instant,
    time_zone,
    holder_id: null,
    is_standalone: true,
    api_key_id: null,
    user_login: null,
    event_metadata: null,
    counter: () => 0,
    discount: null,
    gift_credits: null,
    points: null,
    in_collection: (id) => collections.has(id),
    scenario,
  };
}

/** The promotions of a cart, asked of the index and then of each survivor's own rule and window. */
export function qualify(index, compiledOf, cart) {
  const context = contextOf(cart);
  const candidates = index.candidates(cartFacts(context, cart.collections));
  return candidates.filter((id) => applies(compiledOf(id), context));
}

export const candidatesOf = (index, cart) => index.candidates(cartFacts(contextOf(cart), cart.collections));

/** Compiles rules as they are met and keeps so many; the one longest unused goes first. */
export function compiledOnDemand(texts, kept_max) {
  const kept = new Map();
  return (id) => {
    const known = kept.get(id);
    const wanted = known ?? compiled(texts.get(id));
    if (known) kept.delete(id);
    kept.set(id, wanted);
    if (kept.size > kept_max) kept.delete(kept.keys().next().value);
    return wanted;
  };
}
