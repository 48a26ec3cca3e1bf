import type sdk from "@voucherify/sdk";

type Client = ReturnType<typeof sdk.VoucherifyServerSide>;
type Answer<Work extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Work>>;

export interface Step {
  name: string;
  /** What the step came to, in words. */
  said: string;
  took_ms: number;
}

export interface Journey {
  code: string;
  campaign: Answer<Client["campaigns"]["create"]>;
  voucher: Answer<Client["campaigns"]["addCertainVoucher"]>;
  /** The client's own type leaves out the id of a customer without a name. */
  shopper: { id: string };
  validation: Answer<Client["validations"]["validateStackable"]>;
  redemption: Answer<Client["redemptions"]["redeemStackable"]>;
  /** The client's error; without a key if the second redemption was let through. */
  refused: { code?: number; key?: string; message: string };
  rollback: Answer<Client["redemptions"]["rollback"]>;
  after: Answer<Client["vouchers"]["get"]>;
  program: Answer<Client["campaigns"]["create"]>;
  event_schema: CustomEventSchema;
  earning_rule: Answer<Client["loyalties"]["createEarningRule"]>[number];
  member: Answer<Client["loyalties"]["createMember"]>;
  event: Answer<Client["events"]["create"]>;
  /** The card once the points were on it, and how long after the event that was. */
  points: { card: Answer<Client["loyalties"]["getMember"]>; waited_ms: number };
}

export interface CustomEventSchema {
  id: string;
  name: string;
}

export interface Management {
  createCustomEventSchema(schema: {
    name: string;
    schema: { properties: Record<string, unknown> };
  }): Promise<CustomEventSchema>;
}

export function clientFor(service: { url: string; app_id: string; app_token: string }): Client;
export function managementFor(service: {
  url: string;
  project_id: string;
  management_id: string;
  management_token: string;
}): Management;
export function journey(through: {
  client: Client;
  management: Management;
  report?: (step: Step) => void;
  before_poll?: () => unknown;
}): Promise<Journey>;
