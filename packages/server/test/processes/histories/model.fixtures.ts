import { type Asked, type CampaignName, campaigns, type Operation, vouchers } from "./plan.fixtures.js";

/** What an answer says of one voucher that was redeemed, or given back. */
interface PartSeen {
  id: string;
  code: string;
  credits: number | null;
  redeemed: number;
  balance: number | null;
}

/** What the checker looks at of an answer. */
export interface Seen {
  key?: string;
  valid?: boolean;
  id?: string;
  total?: number;
  parts?: PartSeen[];
}

export interface VoucherState {
  code: string;
  campaign: CampaignName | null;
  amount_off: number | null;
  quantity: number | null;
  active: boolean;
  redeemed: number;
  balance: number | null;
  /** Credits that live sessions hold, by their key. */
  sessions: ReadonlyMap<string, number>;
}

/** What counters of a campaign count, of everybody or of one customer. */
export interface Counts {
  redemptions: number;
  orders_amount: number;
  discount_amount: number;
  gift_credits: number;
}

interface CampaignState {
  active: boolean;
  is_limited: boolean;
  bound: number;
}

interface Redeemed {
  parts: { id: string; code: string; counts: Counts }[];
  customer: string | null;
  is_rolled_back: boolean;
}

const nothing: Counts = { redemptions: 0, orders_amount: 0, discount_amount: 0, gift_credits: 0 };
const plus = (a: Counts, b: Counts, sign: 1 | -1 = 1): Counts => ({
  redemptions: a.redemptions + sign * b.redemptions,
  orders_amount: a.orders_amount + sign * b.orders_amount,
  discount_amount: a.discount_amount + sign * b.discount_amount,
  gift_credits: a.gift_credits + sign * b.gift_credits,
});

/** What the counter of a campaign's limit counts, and what a redemption of a voucher would add to it. */
const counted = {
  COUNTED: "redemptions",
  "PER-CUSTOMER": "redemptions",
  BUDGET: "discount_amount",
  CREDITS: "gift_credits",
} as const;

/**
 * A shop to which one thing happens after the other, written from the rules of the product and from none of its code: what
 * each operation answers, and what it leaves.
 */
export class Shop {
  readonly vouchers = new Map<string, VoucherState>(
    Object.entries(vouchers).map(([code, { balance, ...plan }]) => [
      code,
      { ...plan, code, balance, active: true, redeemed: 0, sessions: new Map() },
    ]),
  );
  readonly campaigns = new Map<CampaignName, CampaignState>(
    (Object.keys(campaigns) as CampaignName[]).map((name) => [
      name,
      { active: true, is_limited: false, bound: campaigns[name].bounds[1] },
    ]),
  );
  /** By campaign, or by campaign and customer. */
  private readonly counts = new Map<string, Counts>();
  readonly redemptions = new Map<string, Redeemed>();
  /** Refused redemptions and rollbacks, each of which leaves a record. */
  refused = 0;

  countsOf(campaign: CampaignName, customer: string | null = null): Counts {
    return this.counts.get(`${campaign} ${customer ?? ""}`) ?? nothing;
  }

  /**
   * Does one thing and answers what is answered.
   * @param seen where answers give names: ids of redemptions
   */
  does(it: Operation, seen: Seen): Answered {
    switch (it.does) {
      case "redeem":
        return this.redeem(it, seen);
      case "roll_back":
        return this.rollBack(it.id ?? "", seen);
      case "lock":
        return this.lock(it);
      case "validate":
        throw new Error("a validation that locks nothing has no place in the order");
      case "release":
        return this.release(it.code, it.session);
      case "switch_voucher":
        return this.change(it.code, { active: it.active });
      case "switch_campaign":
        return this.edit(it.campaign, { active: it.active });
      case "bound":
        return this.edit(it.limit, { bound: it.bound });
      case "assign":
        return this.edit(it.limit, { is_limited: true });
      case "unassign":
        return { ...this.edit(it.limit, { is_limited: false }), status: 204 };
    }
  }

  private redeem(it: Asked, { id = "", parts = [] }: Seen): Answered {
    const judged = this.judge(it);
    if (typeof judged === "string") {
      this.refused += 1;
      return { status: 400, seen: { key: judged } };
    }
    const redeemed: Redeemed = { parts: [], customer: it.customer, is_rolled_back: false };
    const answered = judged.map(({ code, counts }, i): PartSeen => {
      const part = parts[i]?.id ?? "";
      redeemed.parts.push({ id: part, code, counts });
      return this.move(part, code, it.customer, counts, 1, it.session);
    });
    this.redemptions.set(id, redeemed);
    const off = judged.reduce((sum, { counts }) => sum + counts.discount_amount, 0);
    return { status: 200, seen: { id, total: it.amount - off, parts: answered } };
  }

  private rollBack(id: string, { parts = [] }: Seen): Answered {
    const redeemed = this.redemptions.get(id);
    if (!redeemed) return { status: 404, seen: { key: "not_found" } };
    if (redeemed.is_rolled_back) {
      this.refused += 1;
      return { status: 400, seen: { key: "already_rolled_back" } };
    }
    redeemed.is_rolled_back = true;
    const answered = redeemed.parts.map(({ code, counts }, i) =>
      this.move(parts[i]?.id ?? "", code, redeemed.customer, counts, -1, null),
    );
    return { status: 200, seen: { parts: answered } };
  }

  private lock(it: Asked): Answered {
    const judged = this.judge(it);
    if (typeof judged === "string") return { status: 200, seen: { valid: false, key: judged } };
    for (const { code, counts } of judged) {
      const { sessions } = this.voucher(code);
      this.change(code, { sessions: new Map([...sessions, [it.session ?? "", counts.gift_credits]]) });
    }
    return { status: 200, seen: { valid: true } };
  }

  private release(code: string, session: string): Answered {
    const { sessions } = this.voucher(code);
    if (!sessions.has(session)) return { status: 404, seen: { key: "not_found" } };
    this.change(code, { sessions: without(sessions, session) });
    return { status: 204, seen: {} };
  }

  /** What each redeemable would add, or why the first one that may not be redeemed may not. */
  private judge({ redeemables, customer, amount, session }: Asked): { code: string; counts: Counts }[] | string {
    const added: { code: string; counts: Counts }[] = [];
    for (const { code, credits = 0 } of redeemables) {
      const voucher = this.voucher(code);
      const counts = {
        redemptions: 1,
        orders_amount: amount,
        discount_amount: voucher.amount_off ?? credits,
        gift_credits: credits,
      };
      const before = added.reduce(
        (sum, one) => (this.voucher(one.code).campaign === voucher.campaign ? plus(sum, one.counts) : sum),
        nothing,
      );
      const refusal = this.refusalOf(voucher, customer, session, before, counts);
      if (refusal) return refusal;
      added.push({ code, counts });
    }
    return added;
  }

  private refusalOf(
    voucher: VoucherState,
    customer: string | null,
    session: string | null,
    before: Counts,
    counts: Counts,
  ) {
    const { campaign, quantity } = voucher;
    const limit = campaign && this.campaign(campaign);
    const checks = checksOf(voucher, session, counts.gift_credits);
    if (checks.is_disabled || limit?.active === false) return "voucher_disabled";
    if (quantity !== null && checks.left <= 0) return "quantity_exceeded";
    const violated = campaign !== null && limit?.is_limited === true && this.isOver(campaign, customer, before, counts);
    if (violated && campaign === "PER-CUSTOMER" && customer === null) return "missing_customer";
    // Money that is spent is counted last, when it has been computed.
    if (violated && counted[campaign] === "redemptions") return "redemption_rules_violated";
    if (checks.credits_missing) return "gift_amount_exceeded";
    return violated ? "redemption_rules_violated" : undefined;
  }

  private isOver(campaign: CampaignName, customer: string | null, before: Counts, counts: Counts): boolean {
    const per_customer = campaign === "PER-CUSTOMER";
    if (per_customer && customer === null) return true;
    const now = this.countsOf(campaign, per_customer ? customer : null);
    const field = counted[campaign];
    return now[field] + before[field] + counts[field] > this.campaign(campaign).bound;
  }

  private move(
    id: string,
    code: string,
    customer: string | null,
    counts: Counts,
    sign: 1 | -1,
    session: string | null,
  ): PartSeen {
    const voucher = this.voucher(code);
    const balance = voucher.balance === null ? null : voucher.balance - sign * counts.gift_credits;
    const sessions = session === null ? voucher.sessions : without(voucher.sessions, session);
    this.change(code, { redeemed: voucher.redeemed + sign, balance, sessions });
    for (const whose of new Set([null, customer])) {
      if (voucher.campaign === null) continue;
      const name = `${voucher.campaign} ${whose ?? ""}`;
      this.counts.set(name, plus(this.counts.get(name) ?? nothing, counts, sign));
    }
    const credits = balance === null ? null : sign * counts.gift_credits;
    return { id, code, credits, redeemed: voucher.redeemed + sign, balance };
  }

  private change(code: string, fields: Partial<VoucherState>): Answered {
    this.vouchers.set(code, { ...this.voucher(code), ...fields });
    return { status: 200, seen: {} };
  }

  private edit(name: CampaignName, fields: Partial<CampaignState>): Answered {
    this.campaigns.set(name, { ...this.campaign(name), ...fields });
    return { status: 200, seen: {} };
  }

  private voucher(code: string): VoucherState {
    return this.vouchers.get(code) as VoucherState;
  }

  private campaign(name: CampaignName): CampaignState {
    return this.campaigns.get(name) as CampaignState;
  }
}

export interface Answered {
  status: number;
  seen: Seen;
}

/** What a voucher's own state says to a request, leaving out what the request's own session holds. */
export function checksOf(
  { active, quantity, redeemed, balance, sessions }: VoucherState,
  session: string | null,
  credits: number,
) {
  const others = [...without(sessions, session ?? "")];
  const held = others.reduce((sum, [, one]) => sum + one, 0);
  return {
    is_disabled: !active,
    left: (quantity ?? Number.POSITIVE_INFINITY) - redeemed - others.length,
    credits_missing: balance !== null && credits > balance - held,
  };
}

const without = (sessions: ReadonlyMap<string, number>, session: string): ReadonlyMap<string, number> =>
  new Map([...sessions].filter(([key]) => key !== session));
