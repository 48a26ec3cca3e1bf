import Type, { type Static, type TSchema } from "typebox";
import type { Qualification, Traits } from "../../deciding/index.js";
import { problems } from "../../platform/http/problems.js";
import { named, nullable, oneOf, text } from "../../platform/http/schema.js";
import { junctionOf } from "../../platform/listing/index.js";

/** Values of one condition: more than a person picks in a list. */
const operands_max = 1000;

const conditionsOn = (value: () => TSchema) =>
  Type.Object({
    $is: Type.Optional(operands(value)),
    $is_not: Type.Optional(operands(value)),
    $in: Type.Optional(operands(value)),
    $not_in: Type.Optional(operands(value)),
    $has_value: Type.Optional(Type.Unsafe<unknown>({})),
    $is_unknown: Type.Optional(Type.Unsafe<unknown>({})),
  });
const operands = (value: () => TSchema) => Type.Unsafe<string[]>(Type.Array(value(), { maxItems: operands_max }));

const Conditions = named("QualificationConditions", conditionsOn(text));
type Conditions = Static<typeof Conditions>;
const field = (conditions: typeof Conditions = Conditions) =>
  Type.Optional(nullable(Type.Object({ conditions: Type.Optional(nullable(conditions)) })));

const fields = {
  category_id: field(),
  campaign_id: field(),
  campaign_type: field(
    conditionsOn(() =>
      oneOf(["PROMOTION", "GIFT_VOUCHERS", "REFERRAL_PROGRAM", "DISCOUNT_COUPONS", "LOYALTY_PROGRAM"]),
    ),
  ),
  resource_id: field(),
  resource_type: field(conditionsOn(() => oneOf(["campaign", "voucher", "promotion_tier", "promotion_stack"]))),
  voucher_type: field(),
  code: field(),
  holder_role: field(conditionsOn(() => oneOf(["OWNER", "REFERRER", "REFEREE"]))),
};

/** `options.filters`: between the fields the junction, within a field all of its conditions (redemption.md §13.1). */
export const QualificationFilters = named(
  "QualificationFilters",
  Type.Object({
    junction: Type.Optional(nullable(text({ description: "`and` or `or`, in any letter case." }))),
    ...fields,
  }),
);
export type QualificationFilters = Static<typeof QualificationFilters>;

type Test = (value: string | null) => boolean;

/** `$is` and `$is_not` look at their first value alone. */
const operators: Readonly<Record<string, (values: readonly string[]) => Test>> = {
  $is:
    ([first]) =>
    (value) =>
      value === first,
  $is_not:
    ([first]) =>
    (value) =>
      value !== first,
  $in: (values) => among(new Set(values), true),
  $not_in: (values) => among(new Set(values), false),
  $has_value: () => (value) => value !== null,
  $is_unknown: () => (value) => value === null,
};

const among =
  (values: ReadonlySet<string>, wanted: boolean): Test =>
  (value) =>
    (value !== null && values.has(value)) === wanted;

/** What filters let through, and the only codes that can get through them where they name few. */
export function filtersOf(
  filters: QualificationFilters | null | undefined,
  codeKey: (code: string) => string,
): Pick<Qualification, "matches" | "only"> {
  const { junction, ...asked } = filters ?? {};
  const between = junctionOf(junction ?? undefined);
  const tests = Object.entries(asked).flatMap(([name, one]) => testsOf(name, one?.conditions ?? null, codeKey));
  if (tests.length === 0) return { matches: () => true, only: null };
  const passes = (traits: Traits) => (test: (traits: Traits) => boolean) => test(traits);
  if (between === "or") return { matches: (traits) => tests.some(passes(traits)), only: null };
  return { matches: (traits) => tests.every(passes(traits)), only: named_alone(asked) };
}

/** The tests of one field: all of them must hold. A name that we do not know is refused, or others would be found than were asked for. */
function testsOf(name: string, conditions: Conditions | null, codeKey: (code: string) => string) {
  if (!Object.hasOwn(fields, name)) throw unsupported(name);
  const tests = Object.entries(conditions ?? {}).map(([operator, values]) => {
    const test = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
    if (!test) throw unsupported(`${name}.conditions.${operator}`);
    const wanted = Array.isArray(values) ? values.map(String) : [];
    if (name !== "code") return test(wanted);
    const holds = test(wanted.map(codeKey));
    return (value: string | null) => holds(value === null ? null : codeKey(value));
  });
  if (tests.length === 0) return [];
  return [(traits: Traits) => tests.every((test) => test(traits[name as keyof Traits]))];
}

const unsupported = (path: string) =>
  problems.invalidPayload(`Property .options.filters.${path} is not supported`, `options.filters.${path}`);

function named_alone({ code, resource_id }: Pick<QualificationFilters, "code" | "resource_id">): Qualification["only"] {
  const [codes, ids] = [namesIn(code?.conditions), namesIn(resource_id?.conditions)];
  return codes || ids ? { codes: codes ?? [], ids: ids ?? [] } : null;
}

const namesIn = (conditions: Conditions | null | undefined): readonly string[] | null =>
  conditions?.$is?.slice(0, 1) ?? conditions?.$in ?? null;
