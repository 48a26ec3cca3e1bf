import { type CounterName, type CounterRef, counterKey, type Period, type RuleContext } from "../contract.js";
import { type Absence, NO_CUSTOMER, UNDECIDED, type ValueReader } from "../nodes.js";
import { metadataOf, OF_REFERENCES, type RuleName, rule, value } from "./entry.js";

type Contribution = (context: RuleContext) => number | Absence;

/** Counters compare the value that would hold after this redemption (rules.md §7). */
function counterRules(name: CounterName, periods: readonly Period[], contribution: Contribution, late = false) {
  return periods.map((period) => {
    const counter: CounterRef = { name, period };
    const read: ValueReader = (context) => {
      const added = contribution(context);
      return typeof added === "number" ? context.counter(counter) + added : added;
    };
    return rule(counterKey(counter), "redemption", value(read), { counter, late });
  });
}

const once: Contribution = () => 1;
const onceForCustomer: Contribution = ({ customer }) => (customer === null ? NO_CUSTOMER : 1);
const whenComputed = (read: (context: RuleContext) => number | null): Contribution => {
  return (context) => (context.discount === null ? UNDECIDED : (read(context) ?? 0));
};

const EVERY_PERIOD: readonly Period[] = ["total", "daily", "weekly", "monthly"];

const isHolder = ({ customer, holder_id }: RuleContext) => {
  if (customer === null) return NO_CUSTOMER;
  return holder_id !== null && holder_id === customer.id;
};

const references = { operators: OF_REFERENCES };

export const REDEMPTION_RULES: readonly RuleName[] = [
  ...counterRules("campaign.redemptions.count", EVERY_PERIOD, once),
  ...counterRules("campaign.redemptions.customers_count", EVERY_PERIOD, onceForCustomer),
  ...counterRules("redemption.count", EVERY_PERIOD, once),
  ...counterRules("redemption.count.per_customer", EVERY_PERIOD, onceForCustomer),
  ...counterRules("redemption.count.per_api_key", EVERY_PERIOD, once),
  ...counterRules("redemption.count.per_user", EVERY_PERIOD, once),
  ...counterRules("campaign.orders.amount", ["total"], ({ order }) => order?.initial_amount ?? 0),
  ...counterRules(
    "campaign.orders.amount_discounted",
    ["total"],
    whenComputed(({ discount }) => discount),
    true,
  ),
  ...counterRules(
    "redemption.gift.amount",
    ["total"],
    whenComputed(({ gift_credits }) => gift_credits),
    true,
  ),
  rule("redemption.reward.pay_with_points.points_used", "redemption", value(whenComputed(({ points }) => points)), {
    late: true,
  }),
  rule(
    "redemption.api_key",
    "redemption",
    value(({ api_key_id }) => api_key_id),
    references,
  ),
  rule(
    "redemption.user.login",
    "redemption",
    value(({ user_login }) => user_login),
    references,
  ),
  rule(
    "redemption.metadata",
    "redemption",
    metadataOf(({ facts }) => facts.metadata),
    { metadata: "redemption" },
  ),
  rule(
    "custom_event.metadata",
    "redemption",
    metadataOf(({ event_metadata }) => event_metadata),
    {
      metadata: "custom_event",
    },
  ),
  rule("publication.redeemable_by_linked_customer", "redemption", value(isHolder), references),
];
