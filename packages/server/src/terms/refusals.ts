import type { InputFault } from "@guerdon/engine";
import { type Problem, problems, refusal } from "../platform/http/problems.js";

/** Whose field it is: the key and message of what is wrong with its meaning (discounts.md §11). */
export type Refused = "voucher" | "campaign" | "earning_rule";

const refused = {
  voucher: { key: "invalid_voucher", message: "Invalid Voucher" },
  campaign: { key: "invalid_campaign", message: "Invalid Campaign" },
  earning_rule: { key: "invalid_payload", message: "Invalid payload" },
} as const;

/** A body whose shape is right and whose meaning is not. */
export function invalid(object: Refused, details: string): Problem {
  const { key, message } = refused[object];
  return refusal(400, key, message, details);
}

/** Words a fault that the engine found, as the schema words its own. `at` leads to the checked value, e.g. `.discount.`. */
export function faultProblem(object: Refused, at: string, { kind, path, problem }: InputFault): Problem {
  const details = `Property ${path === "" ? at.slice(0, -1) : at + path} ${problem}`;
  return kind === "payload" ? problems.invalidPayload(details) : invalid(object, details);
}
