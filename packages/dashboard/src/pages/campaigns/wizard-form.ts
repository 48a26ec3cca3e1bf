import type { Schemas } from "../../api/client.js";
import { dayEnd, dayStart } from "../../api/days.js";
import { minorOf } from "../../api/money.js";
import type { Project } from "../../api/project.js";
import { newRequestName } from "../../api/request-name.js";
import { t } from "../../text/index.js";

export const steps = ["details", "runs", "gives", "summary"] as const;
export type Step = (typeof steps)[number];
export type Kind = "coupons" | "gift-cards";

/** Everything that the wizard asks, as it was typed. */
export const empty_form = {
  name: "",
  category: "",
  description: "",
  codes: "generic" as "generic" | "bulk",
  code: "",
  count: "1000",
  pattern: "########",
  limit: "",
  start: "",
  end: "",
  gives: "percent" as "percent" | "amount" | "fixed" | "shipping",
  percent: "",
  at_most: "",
  amount: "",
  /** The id of a rule that is there already; it stands for all that is asked of orders and customers. */
  rule: "",
  minimum: "",
  once: false,
};
export type Form = typeof empty_form;
export type Faults = Partial<Record<keyof Form, string>>;

const words = t.wizard;
const whole = (typed: string, max: number) => /^\d{1,7}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= max;
const codes_max = 1_000_000;

/** Gift cards are made by the thousand, and coupons as one chooses. */
export const isGeneric = (kind: Kind, { codes }: Form) => kind === "coupons" && codes === "generic";

/** What is wrong with a step, by field. */
export function faultsIn(step: Step, kind: Kind, form: Form, { currency, digits }: Project): Faults {
  const money = (typed: string) => (minorOf(typed, digits) ? undefined : words.money_bad(currency));
  const maybe = (typed: string) => (typed === "" ? undefined : money(typed));
  switch (step) {
    case "details":
      return known({
        name: form.name.trim() === "" ? words.name_missing : undefined,
        ...(isGeneric(kind, form)
          ? { code: form.code.trim() === "" ? words.code_missing : undefined }
          : {
              count: whole(form.count, codes_max) ? undefined : words.count_bad,
              pattern: form.pattern.split("#").length > 4 ? undefined : words.pattern_bad,
            }),
        limit: form.limit === "" || whole(form.limit, codes_max) ? undefined : words.limit_bad,
      });
    case "runs":
      return known({ end: form.start && form.end && form.end < form.start ? words.end_bad : undefined });
    case "gives":
      return known({
        minimum: form.rule === "" ? maybe(form.minimum) : undefined,
        ...(kind === "gift-cards"
          ? { amount: money(form.amount) }
          : {
              percent: form.gives === "percent" && !isPercent(form.percent) ? words.percent_bad : undefined,
              at_most: form.gives === "percent" ? maybe(form.at_most) : undefined,
              amount: form.gives === "amount" || form.gives === "fixed" ? money(form.amount) : undefined,
            }),
      });
    default:
      return {};
  }
}

const known = (faults: Record<string, string | undefined>): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined));

const isPercent = (typed: string) =>
  /^\d{1,3}([.,]\d{1,2})?$/.test(typed) && percentOf(typed) > 0 && percentOf(typed) <= 100;
const percentOf = (typed: string) => Number(typed.replace(",", "."));

const free_shipping = "prod_5h1pp1ng";

/** The discount that was chosen; null while it cannot be read. */
export function discountOf(form: Form, { digits }: Project): Schemas["Discount"] | null {
  const amount = minorOf(form.amount, digits);
  switch (form.gives) {
    case "percent": {
      const amount_limit = minorOf(form.at_most, digits);
      if (!isPercent(form.percent)) return null;
      return { type: "PERCENT", percent_off: percentOf(form.percent), ...(amount_limit ? { amount_limit } : {}) };
    }
    case "amount":
      return amount ? { type: "AMOUNT", amount_off: amount } : null;
    case "fixed":
      return amount ? { type: "FIXED", fixed_amount: amount } : null;
    default:
      return { type: "UNIT", unit_off: 1, unit_type: free_shipping };
  }
}

/** When it applies, as a rule of its own; null: always, or by a rule that is there already. */
export function ruleOf(kind: Kind, form: Form, { digits }: Project): Schemas["ValidationRuleCreate"] | null {
  if (form.rule !== "") return null;
  const minimum = minorOf(form.minimum, digits);
  const counter = isGeneric(kind, form) ? "redemption.count.per_customer" : "campaign.redemptions.customers_count";
  const leaves = [
    ...(minimum ? [{ name: "order.amount", conditions: { $more_than_or_equal: [minimum] } }] : []),
    ...(form.once ? [{ name: counter, conditions: { $less_than_or_equal: [1] } }] : []),
  ];
  if (leaves.length === 0) return null;
  const numbered = Object.fromEntries(leaves.map((leaf, i) => [String(i + 1), leaf]));
  return {
    name: words.rule_name(form.name.trim()),
    rules: { ...numbered, logic: leaves.map((_, i) => i + 1).join(" and ") },
  };
}

/** The campaign as the service makes it. */
export function campaignOf(
  kind: Kind,
  form: Form,
  project: Project,
  rule_id: string | null,
): Schemas["CampaignCreate"] {
  const { timezone } = project.fields;
  const is_generic = isGeneric(kind, form);
  const quantity = form.limit === "" ? null : Number(form.limit);
  const content =
    kind === "gift-cards"
      ? { type: "GIFT_VOUCHER" as const, gift: { amount: minorOf(form.amount, project.digits) } }
      : { type: "DISCOUNT_VOUCHER" as const, discount: discountOf(form, project) as Schemas["DiscountInput"] | null };
  return {
    name: form.name.trim(),
    campaign_type: kind === "gift-cards" ? "GIFT_VOUCHERS" : "DISCOUNT_COUPONS",
    type: is_generic ? "STANDALONE" : "STATIC",
    ...(is_generic ? {} : { vouchers_count: Number(form.count) }),
    ...(form.category.trim() ? { category: form.category.trim() } : {}),
    ...(form.description.trim() ? { description: form.description.trim() } : {}),
    ...(form.start ? { start_date: dayStart(form.start, timezone) } : {}),
    ...(form.end ? { expiration_date: dayEnd(form.end, timezone) } : {}),
    ...(rule_id ? { validation_rules: [rule_id] } : {}),
    voucher: {
      ...content,
      redemption: { quantity },
      ...(is_generic ? {} : { code_config: { pattern: form.pattern } }),
    },
  };
}

/** A draft of the wizard: what was typed, how far it had come, and how the requests are called that make the campaign. */
export interface Typed {
  form: Form;
  step: Step;
  request_name: string;
}

/** What a draft is of, by the address of its page. */
export const draft_pages: Record<string, string> = {
  "campaigns/new/coupons": words.coupons,
  "campaigns/new/gift-cards": words.gift_cards,
};
export const pageOf = (kind: Kind): string => `campaigns/new/${kind}`;

/** What was kept, as far as this form still knows it; else the beginning. */
export function typedOf(kept: { form?: unknown; step?: unknown; request_name?: unknown } | null | undefined): Typed {
  const typed = (kept?.form ?? {}) as Record<string, unknown>;
  const known = Object.entries(empty_form).filter(([name, empty]) => typeof typed[name] === typeof empty);
  return {
    form: { ...empty_form, ...Object.fromEntries(known.map(([name]) => [name, typed[name]])) },
    step: steps.find((step) => step === kept?.step) ?? "details",
    request_name: typeof kept?.request_name === "string" ? kept.request_name : newRequestName(),
  };
}
