import { findRollbacks, type RedemptionRow, type RollbackRef } from "../../books/index.js";
import type { Catalogue, Catalogues } from "../../catalogue/index.js";
import {
  kinds,
  type OrderView,
  type RelatedObject,
  type RelatedObjects,
  type SharedFacts,
} from "../../deciding/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { withoutNulls } from "../../platform/fields.js";
import { type Customer, findCustomersByIds, toSimpleCustomer } from "../customers/index.js";
import { findOrderStates, type Order } from "../orders/index.js";
import type { Call } from "../projects/index.js";
import { leftByRedemption, leftByRollback } from "./order-left.js";
import type { RedemptionBody } from "./redemption.schemas.js";

/** What stands around redemptions: the objects they name, as they are now. */
interface Surroundings {
  context: Context;
  catalogue: Catalogue;
  customers: ReadonlyMap<string, Customer>;
  rollbacks: readonly RollbackRef[];
  related: readonly RelatedObjects[];
  /** The states that they left orders in. */
  orders: readonly Order[];
}

/** Reads what the redemptions name, in one statement a kind. */
export async function surroundingsOf(
  { context, catalogues }: { context: Context; catalogues: Catalogues },
  call: Pick<Call, "project_id" | "version">,
  rows: readonly RedemptionRow[],
  db: Queries = context.db,
): Promise<Surroundings> {
  const { project_id, version } = call;
  const customer_ids = [...new Set(rows.flatMap(({ customer_id }) => customer_id ?? []))];
  const states = rows.flatMap(({ order_id: id, order_version: version }) =>
    id === null || version === null ? [] : { id, version },
  );
  const undone = rows.filter(({ status }) => status === "ROLLED_BACK").map(({ id }) => id);
  const [catalogue, customers, rollbacks, related, orders] = await Promise.all([
    catalogues.at(db, project_id, version),
    customer_ids.length === 0 ? [] : findCustomersByIds(db, project_id, customer_ids),
    undone.length === 0 ? [] : findRollbacks(db, project_id, undone),
    readRelated(db, project_id, rows, null),
    findOrderStates(db, project_id, states),
  ]);
  return { context, catalogue, customers: new Map(customers.map((one) => [one.id, one])), rollbacks, related, orders };
}

/** What a record has just seen; only what is shown with more than decides is read. */
export async function surroundingsSeen(
  context: Context,
  db: Queries,
  {
    shared,
    redemptions,
    customer,
    order,
  }: { shared: SharedFacts; redemptions: readonly RedemptionRow[]; customer: Customer | null; order: Order | null },
): Promise<Surroundings> {
  const { catalogue } = shared;
  return {
    context,
    catalogue,
    customers: new Map(customer ? [[customer.id, customer]] : []),
    rollbacks: [],
    related: await readRelated(db, catalogue.project.id, redemptions, shared),
    orders: order ? [order] : [],
  };
}

const readRelated = (
  db: Queries,
  project_id: string,
  rows: readonly RedemptionRow[],
  shared: SharedFacts | null,
): Promise<RelatedObjects[]> => Promise.all(kinds.map((kind) => kind.readShown(db, project_id, rows, shared)));

/** A redemption, a failed one or a rollback as answered (redemption.md §8, §10, §11). */
export function toRedemptionBody(around: Surroundings, row: RedemptionRow): RedemptionBody {
  const whole = toWholeRedemption(around, row);
  return row.object === "redemption" && row.result === "FAILURE" ? { ...whole, ...inShort(whole) } : whole;
}

/** What was refused is answered by name, since nothing came of it: what it gives stands as null (redemption.md §10). */
function inShort({ voucher, promotion_tier }: RedemptionBody): Pick<RedemptionBody, "voucher" | "promotion_tier"> {
  const campaign = promotion_tier?.campaign as { id: string } | undefined;
  return {
    voucher: voucher && {
      ...{ id: voucher.id, code: voucher.code, campaign: voucher.campaign, campaign_id: voucher.campaign_id },
      ...{ discount: null, gift: null, loyalty_card: null },
    },
    promotion_tier: promotion_tier && {
      id: promotion_tier.id,
      ...(campaign ? { campaign: { id: campaign.id } } : {}),
      action: null,
    },
  };
}

/** The same with all of what was redeemed, also of one that failed: what events say of that, they take from here. */
export function toWholeRedemption(around: Surroundings, row: RedemptionRow): RedemptionBody {
  const customer = row.customer_id === null ? undefined : around.customers.get(row.customer_id);
  return {
    id: row.id,
    object: row.object,
    date: isoOf(row.created_at),
    customer_id: row.customer_id,
    tracking_id: row.tracking_id,
    metadata: row.metadata,
    ...withoutNulls({ amount: row.amount, reason: row.reason }),
    redemption: row.redemption_id ?? row.parent_id,
    result: row.result,
    status: row.status,
    ...(row.session_key ? { session: { key: row.session_key } } : {}),
    ...relatedRedemptions(around, row),
    ...withoutNulls({ failure_code: row.failure_code, failure_message: row.failure_message }),
    order: orderLeft(around, row),
    channel: row.channel,
    customer: customer ? toSimpleCustomer(customer) : null,
    ...redeemed(around, row, customer),
  };
}

/** The order as it was left: the state that is named, and what a child carries. */
function orderLeft({ orders }: Surroundings, row: RedemptionRow): OrderView | null {
  const { order_id, order_version, order_after } = row;
  // The books keep it untyped, since they know nothing of orders; whoever writes it gives it this shape.
  if (order_after !== null || order_version === null) return order_after as OrderView | null;
  const order = orders.find(({ id, version }) => id === order_id && version === order_version);
  if (!order) return null;
  return row.object === "redemption" ? leftByRedemption(order) : leftByRollback(order);
}

function relatedRedemptions({ rollbacks }: Surroundings, { id }: RedemptionRow) {
  const own = rollbacks.filter(({ redemption_id }) => redemption_id === id);
  if (own.length === 0) return {};
  return {
    related_redemptions: {
      rollbacks: own.map((rollback) =>
        withoutNulls({
          id: rollback.id,
          date: isoOf(rollback.created_at),
          rollback_order_mode: rollback.rollback_order_mode,
        }),
      ),
      redemptions: [],
    },
  };
}

/** What was redeemed; a parent, and an unknown code, are related to nothing but themselves. */
function redeemed(around: Surroundings, row: RedemptionRow, customer: Customer | undefined) {
  for (const relatedObject of around.related) {
    const related = relatedObject(around, row);
    // A reward is shown with the member whose points it took.
    if (related?.reward) {
      const reward = { ...related.reward, customer: customer ? toSimpleCustomer(customer) : null };
      return { ...related, reward: reward as RedemptionBody["reward"] };
    }
    if (related) return related as Omit<RelatedObject, "reward">;
  }
  return {
    related_object_type: "redemption" as const,
    related_object_id: row.redemption_id ?? row.id,
    voucher: null,
    promotion_tier: null,
  };
}
