import {
  addDuration,
  type Lot,
  normaliseOrder,
  type OrderPart,
  parseDuration,
  removePart,
  stillHeld,
} from "@guerdon/engine";
import {
  countedByDay,
  findChildren,
  findLotsSpent,
  findRedemption,
  findRewardRedemptions,
  findStandings,
  givenVoucherIds,
  type RedemptionRow,
  type RewardRedemption,
  redeemedOf,
  type Standing,
} from "../../books/index.js";
import { type Deciding, kindOf, orderInUse, trackingOf } from "../../deciding/index.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { type Problem, problems } from "../../platform/http/problems.js";
import { type Change, change, InUse, underKeys } from "../../recording/index.js";
import { refusals } from "../../terms/index.js";
import { findNamedCustomers } from "../customers/index.js";
import {
  findOrderStates,
  findOrders,
  itemsOf,
  moneyOf,
  type Order,
  toOrderBodies,
  toOrderInput,
} from "../orders/index.js";
import type { Call } from "../projects/index.js";
import { rewardKey } from "../rewards/index.js";
import { findVouchersByIds, type LastDayOf, readLastDays, switchWithin, type VoucherRow } from "../vouchers/index.js";
import { surroundingsOf, toRedemptionBody } from "./redemption.render.js";
import type { RedemptionBody, RollbackInput, RollbacksBody } from "./redemption.schemas.js";
import { recordRefusal, type Undone, undo } from "./rollback.record.js";

/** How far back a redemption may lie (redemption.md §11). */
const rollback_period = parseDuration("P3M");

/** Which call asked: the singular one knows no stacks, the plural one rolls a stack back as a whole. */
type RollbackForm = "single" | "stack";

interface Target {
  root: RedemptionRow;
  /** The children of a parent, or the redemption itself. */
  parts: RedemptionRow[];
  standings: ReadonlyMap<string, Standing>;
  /** What parts gave for points, by the part. */
  rewards: ReadonlyMap<string, RewardRedemption>;
  /** Vouchers of other campaigns that rewards gave or added to, by id; in the bin too. */
  given: ReadonlyMap<string, VoucherRow>;
  /** What parts took from lots, by the part. */
  lots: ReadonlyMap<string, readonly Lot[]>;
  lastDayOf: LastDayOf;
  order: Order | undefined;
}

/** `POST /v1/redemptions/{id}/rollback`: answers the rollback itself. */
export const rollBack = (deciding: Deciding, call: Call, id: string, input: RollbackInput): Promise<RedemptionBody> =>
  undoOnce(deciding, call, id, input, "single", ({ rollbacks: [rollback] }) => {
    if (!rollback) throw new Error("a rollback undoes something");
    return rollback;
  });

/** `POST /v1/redemptions/{id}/rollbacks`: the same for a stack with all its children. */
export const rollBackAll = (deciding: Deciding, call: Call, id: string, input: RollbackInput): Promise<RollbacksBody> =>
  undoOnce(deciding, call, id, input, "stack", (rollbacks) => rollbacks);

/** Undoes a redemption exactly once (redemption.md §11). The record of a refused rollback stays. */
function undoOnce<Body>(
  deciding: Deciding,
  call: Call,
  id: string,
  input: RollbackInput,
  form: RollbackForm,
  bodyOf: (rollbacks: RollbacksBody) => Body,
): Promise<Body> {
  const in_use = new InUse<Call>();
  return change(
    deciding.context,
    call,
    async (change) => {
      const target = await targetUnderKeys(change.tx, call, id, in_use);
      const refused = await refusalOf(change, deciding, call, target, input, form);
      if (refused) return refused;
      const taken = in_use.takenFrom(call);
      if (taken) return refusals.multipleRequests(taken.kind === "order_in_use" ? "order" : "redemption");
      return undoTarget(change, deciding, call, target, input);
    },
    async (undone, db) => bodyOf(await rollbacksBody(deciding, call, undone, db)),
  );
}

/**
 * What is to be undone, as it stays until the end. Where somebody else is at work on it nothing is held, and it is told as it
 * was before: good for saying what is wrong with the request itself, and for nothing that the other one may do to it.
 */
async function targetUnderKeys(tx: Tx, call: Call, id: string, in_use: InUse<Call>): Promise<Target> {
  let before: Target | undefined;
  const isTaken = () => in_use.takenFrom(call) !== undefined;
  return underKeys<Target, Target>(tx, {
    async resolve() {
      in_use.begin();
      before = await readTarget(tx, call, id);
      // What was undone stays so, and is told at any time.
      if (before.root.status === "SUCCEEDED") await in_use.take(tx, inUseBy(call, before));
      return before;
    },
    keysOf: (found) => (isTaken() ? [] : keysOf(call, found)),
    read: async () => (before && isTaken() ? before : readTarget(tx, call, id)),
  });
}

const inUseBy = (request: Call, { root: { id, order_id } }: Target) => [
  { request, key: { project_id: request.project_id, kind: "redemption_in_use" as const, id } },
  ...(order_id ? [{ request, key: orderInUse(request.project_id, order_id) }] : []),
];

/** The keys of everything that a rollback moves. */
const keysOf = ({ project_id }: Call, { root, parts, rewards }: Target): LockKey[] => [
  { project_id, kind: "redemption", id: root.id },
  ...parts.flatMap((part) => {
    const redeemed = redeemedOf(part);
    return redeemed ? (kindOf(redeemed.object)?.undoing?.keys(project_id, redeemed.id) ?? []) : [];
  }),
  // Whoever counts under a limit counts what was there when they began, and nothing that is given back meanwhile (ADR 123).
  ...parts.flatMap(countedByDay).map((id): LockKey => ({ project_id, kind: "counter", id, shared: true })),
  ...[...rewards.values()]
    .filter(({ reward_type }) => reward_type !== "COIN")
    .map(({ reward_id }) => rewardKey(project_id, reward_id)),
  ...[...rewards.values()].flatMap(givenVoucherIds).map((id): LockKey => ({ project_id, kind: "voucher", id })),
  // Whoever begins to count the customer's redemptions in rows holds it, so that none is counted while it is undone.
  ...(root.customer_id ? [{ project_id, kind: "customer" as const, id: root.customer_id }] : []),
  ...(root.order_id ? [{ project_id, kind: "order" as const, id: root.order_id }] : []),
];

async function readTarget(tx: Tx, { project_id }: Call, id: string): Promise<Target> {
  const [root, children] = await Promise.all([findRedemption(tx, project_id, id), findChildren(tx, project_id, id)]);
  if (!root) throw problems.notFound("redemption", id);
  const parts = children.length > 0 ? children : [root];
  const voucher_ids = parts.flatMap(({ voucher_id }) => voucher_id ?? []);
  // What spent nothing of a card was spent on nothing.
  const spending = parts.filter(({ amount }) => amount !== null).map(({ id }) => id);
  const [[order], rewards] = await Promise.all([
    root.order_id ? findOrders(tx, project_id, [{ id: root.order_id }]) : [],
    spending.length > 0 ? findRewardRedemptions(tx, project_id, spending) : [],
  ]);
  const given_ids = rewards.flatMap(givenVoucherIds);
  const [standings, given, spent, lastDayOf] = await Promise.all([
    findStandings(tx, project_id, [...new Set([...voucher_ids, ...given_ids])]),
    given_ids.length > 0 ? findVouchersByIds(tx, project_id, given_ids, { bin_too: true }) : [],
    // Points are spent on rewards alone.
    rewards.length > 0 ? findLotsSpent(tx, project_id, spending) : [],
    readLastDays(tx, project_id, rewards.length > 0 ? parts.map(({ campaign_id }) => campaign_id) : []),
  ]);
  return {
    root,
    parts,
    order,
    standings: new Map(standings.map((standing) => [standing.voucher_id, standing])),
    rewards: new Map(rewards.map((reward) => [reward.redemption_id, reward])),
    given: new Map(given.map((voucher) => [voucher.id, voucher])),
    lots: new Map(spent.map(({ redemption_id, lots }) => [redemption_id, lots])),
    lastDayOf,
  };
}

/** The checks in their order; a rollback refused for its own sake is recorded. */
async function refusalOf(
  change: Change,
  deciding: Deciding,
  call: Call,
  { root, parts, order }: Target,
  input: RollbackInput,
  form: RollbackForm,
): Promise<Problem | null> {
  if (root.parent_id !== null) return refusals.invalidRedemptionParent();
  if (form === "single" && parts[0] !== root) return refusals.stackedRedemption();
  if (root.object !== "redemption" || root.result !== "SUCCESS") return refusals.notARedemption();
  if (rollback_period && call.instant > addDuration(root.created_at, rollback_period, call.project.timezone)) {
    return recordRefusal(change, call, root, refusals.tooOldForRollback, input);
  }
  const stranger = await strangerIn(change.tx, deciding, call, root, order, input);
  if (stranger) return stranger;
  if (root.status === "SUCCEEDED") return null;
  return recordRefusal(change, call, root, refusals.alreadyRolledBack, input);
}

/** A customer or an order that is not the redemption's. */
async function strangerIn(
  tx: Tx,
  { context }: Deciding,
  call: Call,
  root: RedemptionRow,
  order: Order | undefined,
  input: RollbackInput,
): Promise<Problem | null> {
  const tracked = input.tracking_id && trackingOf(context.seal, call.project_id).sourceIdOf(input.tracking_id);
  const named =
    input.customer?.id || input.customer?.source_id ? input.customer : tracked ? { source_id: tracked } : null;
  if (named) {
    const [customer] = await findNamedCustomers(tx, call.project_id, [named]);
    if (!customer) return problems.notFound("customer", named.id ?? named.source_id ?? "");
    if (customer.id !== root.customer_id) return refusals.foreignCustomer();
  }
  const { id, source_id } = input.order ?? {};
  if ((id && id !== order?.id) || (source_id && source_id !== order?.source_id)) return refusals.foreignOrder();
  return null;
}

async function undoTarget(
  change: Change,
  deciding: Deciding,
  call: Call,
  target: Target,
  input: RollbackInput,
): Promise<Undone> {
  const { root, order } = target;
  await switchOffUnused(change, target);
  const catalogue = await deciding.catalogues.at(change.tx, call.project_id, call.version);
  const mode = catalogue.stacking_rules.redeemables_rollback_order_mode;
  const order_after =
    order && mode === "WITH_ORDER" ? withoutPart(order, await leftBy(change, order, root), root, call) : order;
  return undo(change, call, { ...target, order: order_after, mode, changed: order_after !== order }, input);
}

/** Codes that were given for points and that nobody has used (loyalty.md §9.5). */
async function switchOffUnused(change: Change, { rewards, given }: Target): Promise<void> {
  const codes = [...rewards.values()].filter(({ given_amount }) => given_amount === null).flatMap(givenVoucherIds);
  for (const id of codes) {
    const code = given.get(id);
    if (code?.redeemed_quantity === 0) await switchWithin(change, code, false);
  }
}

/** The order as the redemption left it, whoever has changed it since. */
async function leftBy({ tx, cause }: Change, order: Order, { order_version }: RedemptionRow): Promise<Order> {
  if (order_version === null || order_version === order.version) return order;
  const [state] = await findOrderStates(tx, cause.project_id, [{ id: order.id, version: order_version }]);
  return state ?? order;
}

/** The order without what the redemption did to it: canceled, and cheaper by nothing (redemption.md §11). */
function withoutPart(order: Order, then: Order, { parts, order_version }: RedemptionRow, call: Call): Order {
  const running = normaliseOrder(toOrderInput(order));
  const moved = parts && movedTo(order, then, parts);
  const part = moved && order_version !== order.version ? stillHeld(running, moved) : moved;
  const left = part ? removePart(running, part) : running;
  return {
    ...order,
    ...moneyOf(left),
    items: itemsOf(left),
    status: "CANCELED",
    version: order.version + 1,
    updated_at: call.instant,
  };
}

/** A part names lines by their place. The order may have been edited since, so places are found again by line id. */
function movedTo(order: Order, then: Order, part: OrderPart): OrderPart {
  const places = new Map(order.items.map(({ id }, index) => [id, index]));
  const lines = part.lines.flatMap((line) => {
    const index = places.get(then.items[line.index]?.id ?? "");
    return index === undefined ? [] : [{ ...line, index }];
  });
  return { ...part, lines };
}

async function rollbacksBody(
  deciding: Deciding,
  call: Call,
  { rollbacks, parent, order }: Undone,
  db: Queries,
): Promise<RollbacksBody> {
  const around = await surroundingsOf(deciding, call, [...rollbacks, ...(parent ? [parent] : [])], db);
  const [body] = order ? await toOrderBodies(db, call.project_id, [order]) : [];
  return {
    rollbacks: rollbacks.map((row) => toRedemptionBody(around, row)),
    ...(parent ? { parent_rollback: toRedemptionBody(around, parent) } : {}),
    ...(body ? { order: body } : {}),
  };
}
