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
}

export function clientFor(service: { url: string; app_id: string; app_token: string }): Client;
export function journey(client: Client, report?: (step: Step) => void): Promise<Journey>;
