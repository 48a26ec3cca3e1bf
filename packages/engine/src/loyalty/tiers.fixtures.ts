import { type TiersExpiration, tierSettings } from "./tier-dates.js";

export const tiers = [
  { id: "silver", from: 100, to: 199 },
  { id: "gold", from: 200, to: 299 },
  { id: "top", from: 400, to: null },
];

type Ends = TiersExpiration["expiration_date"];
export const by_balance = (expiration_date: Ends) =>
  tierSettings({ qualification_type: "BALANCE", start_date: { type: "IMMEDIATE" }, expiration_date });
export const drop = tierSettings(null);
export const two_months = by_balance({ type: "CUSTOM", extend: "P2M" });
export const by_points = (
  type: "IMMEDIATE" | "NEXT_PERIOD",
  ends: Ends,
  qualification_period: "MONTH" | "QUARTER" = "MONTH",
) =>
  tierSettings({
    qualification_type: "POINTS_IN_PERIOD",
    qualification_period,
    start_date: { type },
    expiration_date: ends,
  });
