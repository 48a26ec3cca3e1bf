import { refuse } from "./refuse.js";

/** The catalogue's part about loyalty programs and rewards. */
export const loyalty_refusals = {
  missingParam: (name: string) =>
    refuse(400, "missing_param", "Missing required parameter", `Parameter '${name}' is required`),
  /** Of a gift reward. */
  invalidBalance: (details: string) => refuse(400, "invalid_balance", details, details),
  invalidAddBalanceParams: (details: string) =>
    refuse(400, "invalid_add_balance_params", "Invalid add balance params", details),
  /** Of a card that should give them to another. */
  pointsExceeded: (code: string) => refuse(400, "loyalty_card_points_exceeded", "loyalty card points exceeded", code),
  invalidExpirationDate: () =>
    refuse(400, "invalid_expiration_date", "Invalid expiration date", "Expiration date cannot be set in the past"),
  invalidPendingPointsState: (done: "activated" | "updated" | "canceled", status: string) =>
    refuse(
      400,
      "invalid_pending_points_state",
      "Invalid pending points state",
      `Only pending points in 'PENDING' status can be ${done}. Current status: '${status}'.`,
    ),
  campaignNotActive: () => refuse(400, "campaign_not_active", "Campaign is not active"),
  loyaltyCardNotActive: () => refuse(400, "loyalty_card_not_active", "Loyalty card is not active"),
  noAutoJoin: () => refuse(400, "campaign_not_allow_auto_join", "Campaign does not allow auto join"),
  /** A reward is assigned, and to nothing. */
  noProgram: () =>
    refuse(404, "not_found", "Resource not found", "Cannot find campaign with id null", { resource_type: "campaign" }),
};
