import type { Instant } from "../../../platform/clock.js";
import { day_ms, days_max } from "../sample-shop.js";

export const names = {
  welcome: "Welcome 10",
  newsletter: "Newsletter",
  flash: "Flash weekend",
  outlet: "Outlet",
  birthday: "Birthday present",
  season: "End of season",
  launch: "New collection",
  gifts: "Gift cards",
  basket: "In every basket",
  club: "Club",
  friends: "Bring a friend",
} as const;
/** Everybody's code. */
export const generic_code = "HELLO10";

const percent = (percent_off: number) => ({ type: "PERCENT", percent_off });
const amount = (amount_off: number) => ({ type: "AMOUNT", amount_off });
const once = (discount: object, pattern: string) => ({
  ...{ type: "DISCOUNT_VOUCHER", discount, redemption: { quantity: 1 }, code_config: { pattern } },
});
const coupons = { campaign_type: "DISCOUNT_COUPONS", type: "STATIC" };

/** What campaigns refer to. */
export interface Rules {
  from_50: string;
  once_each: string;
  readers: string;
}

/** Campaigns that are there when the shop opens. */
export const firstCampaigns = ({ from_50, once_each, readers }: Rules) => [
  {
    ...{ name: names.welcome, campaign_type: "DISCOUNT_COUPONS", type: "STANDALONE" },
    description: "For everybody's first order",
    voucher: { type: "DISCOUNT_VOUCHER", discount: percent(10) },
    validation_rules: [once_each],
    category: "Always on",
  },
  {
    ...{ ...coupons, name: names.newsletter, vouchers_count: 240 },
    voucher: once(amount(700), "NEWS-#####"),
    category: "Always on",
    validation_rules: [from_50],
  },
  {
    ...{ name: names.gifts, campaign_type: "GIFT_VOUCHERS", type: "STATIC", vouchers_count: 40 },
    voucher: { type: "GIFT_VOUCHER", gift: { amount: 5_000 }, code_config: { pattern: "GIFT-######" } },
  },
  {
    ...{ name: names.basket, campaign_type: "PROMOTION", type: "STANDALONE" },
    promotion: {
      tiers: [
        { name: "5 off from 50", action: { discount: amount(500) }, validation_rules: [from_50] },
        { name: "3 % for readers of the newsletter", action: { discount: percent(3) }, validation_rules: [readers] },
      ],
    },
  },
  {
    ...{ name: names.club, campaign_type: "LOYALTY_PROGRAM", type: "AUTO_UPDATE" },
    voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 0 }, code_config: { pattern: "CLUB-######" } },
  },
  {
    ...{ name: names.friends, campaign_type: "REFERRAL_PROGRAM", type: "AUTO_UPDATE" },
    voucher: { ...once(percent(15), "FRIEND-#####"), redemption: { quantity: null }, is_referral_code: true },
  },
];

/** Campaigns that come later, by the day on which they are made; with what is done to some of them in the end. */
export const laterCampaigns = [
  {
    day: 20,
    campaignAt: (now: Instant) => ({
      ...{ ...coupons, name: names.flash, vouchers_count: 60, voucher: once(percent(20), "FLASH-#####") },
      category: "Seasonal",
      expiration_date: new Date(now + 4 * day_ms).toISOString(),
    }),
  },
  {
    day: 35,
    campaignAt: () => ({
      ...{ ...coupons, name: names.outlet, vouchers_count: 60, voucher: once(percent(30), "OUTLET-#####") },
    }),
  },
  {
    day: 45,
    campaignAt: () => ({
      ...{ ...coupons, name: names.birthday, vouchers_count: 80, voucher: once(amount(1_000), "BDAY-#####") },
    }),
  },
  {
    day: 72,
    campaignAt: (now: Instant) => ({
      ...{ ...coupons, name: names.season, vouchers_count: 120, voucher: once(percent(25), "SEASON-#####") },
      category: "Seasonal",
      expiration_date: new Date(now + (days_max - 72 + 5) * day_ms).toISOString(),
    }),
  },
  {
    day: 86,
    campaignAt: (now: Instant) => ({
      ...{ ...coupons, name: names.launch, vouchers_count: 100, voucher: once(percent(15), "LAUNCH-#####") },
      start_date: new Date(now + 18 * day_ms).toISOString(),
    }),
  },
];

/** The day on which somebody stops the outlet. */
export const outlet_ends = 62;
