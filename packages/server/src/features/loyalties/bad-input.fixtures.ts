/** Of the program that the rules are sent to. */
export const [start_date, expiration_date] = ["2027-01-01T00:00:00.000Z", "2027-12-31T00:00:00.000Z"];
export const two_days = { period_type: "DAY", period_value: 2 };

export type Says = Record<string, unknown> & { code?: number };
export type Row = [what: string, sent: unknown, says: Says];

export const invalid = (details: string): Says => ({ key: "invalid_payload", message: "Invalid payload", details });
export const amount = (details: string): Says => ({
  key: "invalid_add_balance_params",
  message: "Invalid add balance params",
  details,
});
export const unknown = (resource_type: string, resource_id: string): Says => ({
  code: 404,
  key: "not_found",
  message: "Resource not found",
  details: `Cannot find ${resource_type} with id ${resource_id}`,
  resource_type,
  resource_id,
});
export const missing = (name: string): Says => ({
  key: "missing_param",
  message: "Missing required parameter",
  details: `Parameter '${name}' is required`,
});

export const fixed = (points: unknown) => ({ type: "FIXED", points });
export const no_amount: Says = {
  key: "invalid_amount",
  message: "Invalid Amount",
  details: "Amount has to be a valid positive number",
};
/** Of pending points that are canceled. */
export const canceled = (done: string): Says => ({
  key: "invalid_pending_points_state",
  message: "Invalid pending points state",
  details: `Only pending points in 'PENDING' status can be ${done}. Current status: 'CANCELED'.`,
});

/** What a rule says of the event that sets it off. */
export const ofEvent = (event: { id: string; name: string }) => ({
  event: event.name,
  custom_event: { schema_id: event.id },
});
export const paid = { event: "order.paid", loyalty: fixed(1) };
const inProportion = (calculation_type: string, more: object) => ({
  loyalty: { type: "PROPORTIONAL", calculation_type, ...more },
});
export const byMetadata = (group: "order" | "customer" | "custom_event", property: string) =>
  inProportion(`${group.toUpperCase()}_METADATA`, { [group]: { metadata: { every: 1, points: 1, property } } });
const perAmount = (step: object) =>
  inProportion("ORDER_AMOUNT", { order: { amount: { every: 1, points: 1, ...step } } });

/** Rules that are the second of two, and what is said of them. */
export function badRules(event: { id: string; name: string }): Row[] {
  const of_event = ofEvent(event);
  const at = "Property [1]";
  return [
    ["of points below none", { ...paid, loyalty: fixed(-1) }, invalid(`${at}.loyalty.points must be >= 0`)],
    ["of part of a point", { ...paid, loyalty: fixed(0.5) }, invalid(`${at}.loyalty.points must be integer`)],
    ["of part of a point as text", { ...paid, loyalty: fixed("0.5") }, invalid(`${at}.loyalty.points must be integer`)],
    [
      "of points that it does not say",
      { ...paid, loyalty: { type: "FIXED" } },
      invalid(`${at}.loyalty should have required property 'points'`),
    ],
    [
      "for steps of nothing",
      { ...paid, ...perAmount({ every: 0 }) },
      invalid(`${at}.loyalty.order.amount.every must be >= 1`),
    ],
    [
      "for steps below nothing",
      { ...paid, ...perAmount({ every: -700 }) },
      invalid(`${at}.loyalty.order.amount.every must be >= 1`),
    ],
    [
      "for part of a step",
      { ...paid, ...perAmount({ every: 1.5 }) },
      invalid(`${at}.loyalty.order.amount.every must be integer`),
    ],
    [
      "for points below none a step",
      { ...paid, ...perAmount({ points: -3 }) },
      invalid(`${at}.loyalty.order.amount.points must be >= 0`),
    ],
    [
      "for lines that it does not name",
      { ...paid, ...inProportion("ORDER_ITEMS_QUANTITY", { order_items: { quantity: { every: 1, points: 1 } } }) },
      invalid(`${at}.loyalty.order_items.quantity should have required property 'applicable_to'`),
    ],
    [
      "for what its event has not",
      { ...of_event, ...perAmount({}) },
      invalid(`${at}.loyalty.calculation_type ORDER_AMOUNT does not go with event ${event.name}`),
    ],
    [
      "for metadata without a name",
      { ...paid, ...byMetadata("order", "") },
      invalid(`${at}.loyalty.order.metadata.property must NOT have fewer than 1 characters`),
    ],
    [
      "for metadata that is a text",
      { ...paid, ...byMetadata("order", "note") },
      invalid(`${at}.loyalty.order.metadata.property must name a number: metadata schema says that 'note' is string`),
    ],
    [
      "for metadata that is many numbers",
      { ...paid, ...byMetadata("order", "weights") },
      invalid(
        `${at}.loyalty.order.metadata.property must name a number: metadata schema says that 'weights' is number[]`,
      ),
    ],
    [
      "for metadata of its event that is a text",
      { ...of_event, ...byMetadata("custom_event", "shop") },
      invalid(
        `${at}.loyalty.custom_event.metadata.property must name a number: metadata schema says that 'shop' is string`,
      ),
    ],
    [
      "that ends before it begins",
      { ...paid, start_date: expiration_date, expiration_date: start_date },
      invalid(`${at}.expiration_date must not be before start_date`),
    ],
    [
      "that begins when its program is over",
      { ...paid, start_date: "2028-01-01" },
      invalid(`${at}.start_date must not be after the program's expiration_date ${expiration_date}`),
    ],
    [
      "that is over when its program begins",
      { ...paid, expiration_date: "2026-12-31" },
      invalid(`${at}.expiration_date must not be before the program's start_date ${start_date}`),
    ],
    [
      "that is open on a day that none of its dates is",
      { ...paid, start_date: "2027-05-15", expiration_date: "2027-05-16", validity_day_of_week: [1] },
      invalid(`${at}.validity_day_of_week must be open at some time while the rule and its program are in date`),
    ],
    [
      "that is open at hours which none of its dates has",
      {
        ...{ ...paid, start_date: "2027-05-15T10:00:00Z", expiration_date: "2027-05-15T20:00:00Z" },
        validity_hours: { daily: [{ start_time: "08:00", expiration_time: "09:00" }] },
      },
      invalid(`${at}.validity_hours must be open at some time while the rule and its program are in date`),
    ],
    [
      "that is open at each turn on another day than its days",
      {
        ...{ ...paid, start_date: "2027-05-15", validity_day_of_week: [1] },
        validity_timeframe: { duration: "P1D", interval: "P7D" },
      },
      invalid(`${at}.validity_timeframe must be open at some time while the rule and its program are in date`),
    ],
    [
      "that is open for no time",
      { ...paid, start_date, validity_timeframe: { duration: "PT0S", interval: "P1D" } },
      invalid(`${at}.validity_timeframe.duration must be longer than zero`),
    ],
    [
      "that pends for an event nobody cancels",
      { ...of_event, loyalty: fixed(1), pending_points: two_days },
      invalid(`${at}.pending_points can be used only with event order.paid`),
    ],
    [
      "that pends until the same day",
      { ...paid, pending_points: { ...two_days, period_value: 0 } },
      invalid(`${at}.pending_points.period_value must be >= 1`),
    ],
    [
      "that pends for part of a day",
      { ...paid, pending_points: { ...two_days, period_value: 1.5 } },
      invalid(`${at}.pending_points.period_value must be integer`),
    ],
    [
      "for a tier, of another event",
      { ...paid, loyalty_tier: { id: "__ANY__" } },
      invalid(`${at}.loyalty_tier can be used only with event customer.loyalty.tier`),
    ],
    [
      "for a segment, of another event",
      { ...paid, segment: { id: "seg_1" } },
      invalid(`${at}.segment can be used only with event customer.segment.entered`),
    ],
    [
      "for an event by another's name",
      { ...of_event, event: "order placed", loyalty: fixed(1) },
      invalid(`${at}.event must be the name of custom event schema ${event.id}`),
    ],
    [
      "for an event that nobody defined",
      { event: "order placed", loyalty: fixed(1) },
      missing("custom_event.schema_id"),
    ],
    [
      "for entering a segment, and none is named",
      { event: "customer.segment.entered", loyalty: fixed(1) },
      missing("segment.id"),
    ],
    [
      "for a segment that there is not",
      { event: "customer.segment.entered", segment: { id: "seg_none" }, loyalty: fixed(1) },
      unknown("segment", "seg_none"),
    ],
    [
      "for a tier that there is not",
      { event: "customer.loyalty.tier.left", loyalty_tier: { id: "ltr_none" }, loyalty: fixed(1) },
      unknown("loyalty_tier", "ltr_none"),
    ],
    [
      "by a formula that nobody can read",
      { ...paid, loyalty: { ...fixed(1), points_formula: "PRICE" } },
      invalid(`${at}.loyalty.points_formula cannot be read: unknown name 'PRICE'`),
    ],
    [
      "whose points expire in no month",
      { ...paid, expiration_rules: { period_type: "FIXED_DAY_OF_YEAR", fixed_month: 13, fixed_day: 1 } },
      invalid(`${at}.expiration_rules.fixed_month must be <= 12`),
    ],
  ];
}
