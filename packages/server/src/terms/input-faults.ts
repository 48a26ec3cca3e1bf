import type { InputFault } from "@guerdon/engine";
import { type Problem, problems } from "../platform/http/problems.js";
import { refusals } from "./refusals.js";

/** Whose field it is: what is wrong with its meaning is refused so (discounts.md §11). */
export type Refused = "voucher" | "campaign" | "earning_rule";

const refused = {
  voucher: refusals.invalidVoucher,
  campaign: refusals.invalidCampaign,
  earning_rule: problems.invalidPayload,
};

/** A body whose shape is right and whose meaning is not. */
export const invalid = (object: Refused, details: string): Problem => refused[object](details);

/** Words a fault that the engine found, as the schema words its own. `at` leads to the checked value, e.g. `.discount.`. */
export function faultProblem(object: Refused, at: string, { kind, path, problem }: InputFault): Problem {
  const details = `Property ${path === "" ? at.slice(0, -1) : at + path} ${problem}`;
  return kind === "payload" ? problems.invalidPayload(details) : invalid(object, details);
}
