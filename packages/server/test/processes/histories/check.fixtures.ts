import { isDeepStrictEqual } from "node:util";
import { type Counts, checksOf, type Seen, Shop, type VoucherState } from "./model.fixtures.js";
import { type Asking, type Note, ordered, type Recorded } from "./order.fixtures.js";
import { type Asked, type CampaignName, campaigns, vouchers } from "./plan.fixtures.js";

/** Ids that the service gave to what the model knows by name. */
export interface Names {
  campaigns: Record<CampaignName, string>;
  customers: Record<string, string>;
}

export interface History {
  askings: Asking[];
  notes: Note[];
  names: Names;
  /** What the database holds at the end. */
  stored: Stored;
}

/** The database and the model at the end, in the same words. */
export interface Stored {
  vouchers: Record<string, { active: boolean; redeemed: number; balance: number | null; sessions: [string, number][] }>;
  campaigns: Record<string, Counts>;
  /** Ids of redemptions that stand, and of those that were rolled back; of stacks their children too. */
  standing: string[];
  rolled_back: string[];
  refused: number;
}

/** At most so many are told: the first says most, and others follow from it. */
const told_max = 5;

/** What does not fit between the answers, the order of the transactions, the model and the database; empty when all does. */
export function faultsOf(history: History): string[] {
  const faults: string[] = [];
  const plain = history.askings.filter(({ it }) => it.does === "validate");
  const { recorded, lost } = joined(history);
  faults.push(...lost);
  const { order, without_place } = ordered(recorded);
  if (without_place.length > 0)
    faults.push(`no order is for ${without_place.length} transactions, of them\n${shown(without_place.slice(0, 6))}`);
  const replay = new Replay(history.names);
  for (const one of order) faults.push(...replay.next(one));
  faults.push(...plain.flatMap((one) => validationFault(one, order, replay)));
  // Where not everything could be replayed the end differs as well.
  if (without_place.length === 0) faults.push(...endFaults(replay.shop, history.stored));
  return faults.slice(0, told_max);
}

/** Transactions with their operations; every answer must come from exactly one. */
function joined({ askings, notes }: History): { recorded: Recorded[]; lost: string[] } {
  const by_request = new Map(askings.map((asking) => [asking.request_id, asking]));
  const noted = new Map<string, number>();
  const recorded: Recorded[] = [];
  for (const note of notes) {
    const own = note.requests.flatMap((id) => by_request.get(id) ?? []);
    if (own.length === 0) continue;
    for (const { request_id } of own) noted.set(request_id, (noted.get(request_id) ?? 0) + 1);
    const sent = Math.max(...own.map((one) => one.sent));
    recorded.push({ note, askings: own, sent, answered: Math.min(...own.map(({ answered }) => answered)) });
  }
  const lost = askings.flatMap((asking) => {
    if (asking.status >= 500) return [`failed: ${told(asking)}`];
    const times = noted.get(asking.request_id) ?? 0;
    return asking.it.does === "validate" || times === 1 ? [] : [`noted ${times} times: ${told(asking)}`];
  });
  return { recorded, lost };
}

/** The model while it is led through a history, and what it was like in between. */
class Replay {
  readonly shop = new Shop();
  /** Each state of a voucher, with the transaction that made it. */
  readonly states = new Map<string, { state: VoucherState; by: Recorded | null }[]>(
    [...this.shop.vouchers].map(([code, state]) => [code, [{ state, by: null }]]),
  );
  private readonly campaign_of: ReadonlyMap<string, CampaignName>;
  private readonly customer_of: ReadonlyMap<string, string>;

  constructor({ campaigns: ids, customers }: Names) {
    this.campaign_of = new Map(Object.entries(ids).map(([name, id]) => [id, name as CampaignName]));
    this.customer_of = new Map(Object.entries(customers).map(([name, id]) => [id, name]));
  }

  next(one: Recorded): string[] {
    const faults = this.countsFault(one);
    for (const asking of one.askings) {
      const { it, status, saw } = asking;
      const answered = this.shop.does(it, saw);
      if (status !== answered.status || !fits(saw, answered.seen))
        faults.push(
          `answered ${told(asking)}\n  where the model says ${answered.status} ${JSON.stringify(answered.seen)}`,
        );
    }
    for (const [code, state] of this.shop.vouchers) {
      const states = this.states.get(code) ?? [];
      if (states.at(-1)?.state !== state) states.push({ state, by: one });
    }
    return faults;
  }

  private countsFault({ note, askings }: Recorded): string[] {
    return note.counts.flatMap(({ object_id, customer_id, ...saw }) => {
      const campaign = this.campaign_of.get(object_id);
      if (!campaign || customer_id === "new") return [];
      const counts = this.shop.countsOf(campaign, customer_id === null ? null : this.customer_of.get(customer_id));
      if (isDeepStrictEqual({ ...saw }, { ...counts })) return [];
      return [
        `counted ${JSON.stringify(saw)} of ${campaign}, where the model has ${JSON.stringify(counts)}: ${askings.map(told).join("; ")}`,
      ];
    });
  }
}

/** What the model knows nothing of, such as the id that names a refusal, is not compared. */
function fits(saw: Seen, model: Seen): boolean {
  const { key, valid, id, total, parts } = saw;
  return isDeepStrictEqual(
    JSON.parse(JSON.stringify({ key, valid, id, total, parts })),
    JSON.parse(JSON.stringify({ ...model })),
  );
}

/**
 * A validation that locks nothing reads without keys: it must have seen each thing as it was at some moment of its own time.
 */
function validationFault(asking: Asking, order: readonly Recorded[], replay: Replay): string[] {
  const it = asking.it as Asked;
  const [{ code, credits = 0 } = { code: "" }] = it.redeemables;
  const campaign = vouchers[code]?.campaign ?? null;
  const states = statesDuring(asking, replay.states.get(code) ?? []).map((state) =>
    checksOf(state, it.session, credits),
  );
  const edits = campaign === null ? [] : campaignDuring(asking, order, campaign);
  const can = {
    voucher_disabled: states.some((state) => state.is_disabled) || edits.some(({ active }) => !active),
    quantity_exceeded: states.some(({ left }) => left <= 0),
    gift_amount_exceeded: states.some((state) => state.credits_missing),
    missing_customer: campaign === "PER-CUSTOMER" && it.customer === null && edits.some(({ is_limited }) => is_limited),
    redemption_rules_violated: edits.some(({ is_limited }) => is_limited),
  } as Record<string, boolean>;
  const must_fail =
    states.every((state) => state.is_disabled || state.left <= 0 || state.credits_missing) ||
    (edits.length > 0 && edits.every(({ active }) => !active));
  const { key, valid } = asking.saw;
  const is_possible = asking.status === 200 && (valid ? !must_fail : can[key ?? ""] === true);
  return is_possible ? [] : [`validated ${told(asking)}\n  where the model has ${JSON.stringify({ states, edits })}`];
}

/** From the last state that was there before it was asked to the last that anybody could make before it was answered. */
function statesDuring({ sent, answered }: Asking, states: readonly { state: VoucherState; by: Recorded | null }[]) {
  const first = states.findLastIndex(({ by }) => by === null || by.answered < sent);
  const last = states.findLastIndex(({ by }) => by === null || by.sent < answered);
  return states.slice(first, last + 1).map(({ state }) => state);
}

function campaignDuring(asking: Asking, order: readonly Recorded[], campaign: CampaignName) {
  const state = { active: true, is_limited: false };
  const during: (typeof state)[] = [{ ...state }];
  for (const one of order) {
    const [{ it } = {}] = one.askings;
    if (one.sent > asking.answered || !it) continue;
    if (it.does === "switch_campaign" && it.campaign === campaign) state.active = it.active;
    else if ((it.does === "assign" || it.does === "unassign") && it.limit === campaign)
      state.is_limited = it.does === "assign";
    else continue;
    if (one.answered < asking.sent) during.length = 0;
    during.push({ ...state });
  }
  return during;
}

function endFaults(shop: Shop, stored: Stored): string[] {
  const model: Stored = {
    vouchers: Object.fromEntries(
      [...shop.vouchers].map(([code, { active, redeemed, balance, sessions }]) => [
        code,
        { active, redeemed, balance, sessions: [...sessions].sort() },
      ]),
    ),
    campaigns: Object.fromEntries(Object.keys(campaigns).map((name) => [name, shop.countsOf(name as CampaignName)])),
    standing: idsOf(shop, false),
    rolled_back: idsOf(shop, true),
    refused: shop.refused,
  };
  return differences("the database", stored, model);
}

const idsOf = (shop: Shop, is_rolled_back: boolean) =>
  [...shop.redemptions]
    .filter(([, redeemed]) => redeemed.is_rolled_back === is_rolled_back)
    .flatMap(([id, { parts }]) => [...new Set([id, ...parts.map((part) => part.id)])])
    .sort();

/** Where two values of one shape differ, by path. */
function differences(path: string, found: unknown, model: unknown): string[] {
  if (isDeepStrictEqual(found, model)) return [];
  if (!isObject(found) || !isObject(model))
    return [`${path}: ${JSON.stringify(found)}, and by the model ${JSON.stringify(model)}`];
  return [...new Set([...Object.keys(found), ...Object.keys(model)])].flatMap((key) =>
    differences(`${path} ${key}`, found[key], model[key]),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const told = ({ lane, place, it, status, saw, request_id }: Asking) =>
  `lane ${lane}, operation ${place}, ${request_id}: ${JSON.stringify(it)} → ${status} ${JSON.stringify(saw)}`;

const shown = (recorded: readonly Recorded[]) =>
  recorded.map(({ note, askings }) => `  ${JSON.stringify(note)}\n  ${askings.map(told).join("\n  ")}`).join("\n");
