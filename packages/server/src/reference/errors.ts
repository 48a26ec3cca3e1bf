import type { DescribedOperation, ErrorTold } from "./described.js";

const of_a_decision: readonly ErrorTold[] = [
  ...["duplicated_redeemables", "invalid_amount", "decision_too_heavy"].map((key) => ({ status: 400, key })),
];

const of_a_redemption: readonly ErrorTold[] = [
  ...of_a_decision,
  ...[
    ...["voucher_disabled", "voucher_expired", "voucher_not_active", "voucher_not_active_now", "quantity_exceeded"],
    ...["gift_amount_exceeded", "order_rules_violated", "customer_rules_violated"],
    ...["missing_order", "missing_amount", "missing_customer"],
  ].map((key) => ({ status: 400, key })),
];

/** What single operations refuse, beside what follows from their shape. */
const own_errors: Readonly<Record<string, readonly ErrorTold[]>> = {
  "validate-stacked-discounts": of_a_decision,
  "validate-voucher": of_a_decision,
  "redeem-stacked-discounts": of_a_redemption,
  "redeem-voucher": of_a_redemption,
  "redeem-promotion": of_a_redemption,
  "redeem-stacked-discounts-client-side": of_a_redemption,
  "create-voucher": [
    { status: 400, key: "invalid_voucher" },
    { status: 409, key: "duplicate_found" },
  ],
  "generate-random-code": [{ status: 400, key: "invalid_voucher" }],
  "create-campaign": [
    { status: 400, key: "invalid_campaign" },
    { status: 409, key: "duplicate_found" },
  ],
  "create-validation-rules": [{ status: 400, key: "invalid_validation_rules" }],
  "update-validation-rule": [{ status: 400, key: "invalid_validation_rules" }],
  "preview-unsaved": [...of_a_decision, { status: 400, key: "invalid_validation_rules" }],
  "create-publication": [{ status: 400, key: "duplicate_source_id" }],
  "create-export": [{ status: 400, key: "invalid_export_fields" }],
};

/** The errors of an operation by key: those of its own first, then what its parameters, body and credentials bring. */
export function errorsOf({
  operationId = "",
  parameters = [],
  requestBody,
  security,
}: DescribedOperation): ErrorTold[] {
  const has = (place: string) => parameters.some((one) => one.in === place);
  const is_closed = (security ?? []).length > 0;
  return [
    ...(own_errors[operationId] ?? []),
    ...(requestBody ? [{ status: 400, key: "invalid_payload" }] : []),
    ...(has("query") || has("path") ? [{ status: 400, key: "invalid_query_params" }] : []),
    ...(is_closed ? [{ status: 401, key: "unauthorized" }] : []),
    ...(is_closed ? [{ status: 403, key: "missing_required_permission" }] : []),
    ...(has("path") ? [{ status: 404, key: "not_found" }] : []),
  ];
}

/** Every key that stands in the table, for the test that looks for them in the catalogue of refusals. */
export const own_keys = [...new Set(Object.values(own_errors).flatMap((errors) => errors.map(({ key }) => key)))];
