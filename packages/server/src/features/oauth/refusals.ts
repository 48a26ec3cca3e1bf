import { refusal } from "../../platform/http/problems.js";

/** Why no token is given or shown, with the exact bodies of platform.md §4. */
export const refusals = {
  missingParameters: () => refusal(400, "missing_parameters", "Missing parameters"),
  invalidGrantType: () => refusal(400, "invalid_grant_type", "Invalid grant_type"),
  invalidScope: (refused: readonly string[]) => refusal(400, "invalid_scope", `Invalid scope: ${refused.join(" ")}`),
};
