import { type RuleCategory, type Scenario, scenarios } from "./contract.js";

// Never looked at by any qualification, their periods included (rules.md §12).
const NEVER_QUALIFIED =
  /^(order\.amount|campaign\.orders\.amount_discounted|(campaign\.redemptions\.(count|customers_count)|redemption\.count\.per_customer)(\.(daily|weekly|monthly))?)$/;

const ABOUT_ITEMS = /^(order\.items|product|sku)\./;

const isAboutAudience = (name: string, category: RuleCategory | null) =>
  category === "customer" || name === "publication.redeemable_by_linked_customer";

/** The qualifications that take a rule as true without looking (rules.md §12). */
export const scenariosWithout = (name: string, category: RuleCategory | null): ReadonlySet<Scenario> =>
  new Set(scenarios.filter((scenario) => isOmitted(scenario, name, category)));

function isOmitted(scenario: Scenario, name: string, category: RuleCategory | null): boolean {
  if (category === null) return false;
  switch (scenario) {
    case "AUDIENCE_ONLY":
      return !isAboutAudience(name, category);
    case "PRODUCTS":
    case "PRODUCTS_DISCOUNT":
      return !ABOUT_ITEMS.test(name);
    case "PRODUCTS_BY_CUSTOMER":
    case "PRODUCTS_DISCOUNT_BY_CUSTOMER":
      return !ABOUT_ITEMS.test(name) && category !== "customer";
    default:
      return NEVER_QUALIFIED.test(name);
  }
}
