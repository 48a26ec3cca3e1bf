// The floor: the least that a service on Fastify and PostgreSQL could do for the same request. Its own process.
import { randomUUID } from "node:crypto";
import fastify from "fastify";
import pg from "pg";

const { DATABASE_URL, FLOOR_STATEMENT, FLOOR_REPLY_BYTES, FLOOR_CONNECTIONS } = process.env;

// The pool as platform/db/database.ts has it, and statements prepared as there.
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(FLOOR_CONNECTIONS), idleTimeoutMillis: 60_000 });

const statements = {
  select: {
    text: "select code, discount, quantity, redeemed from floor_vouchers where code = $1",
    values: ({ redeemables }) => [redeemables[0].id],
  },
  metadata: {
    text: "select code, discount, quantity, redeemed from floor_vouchers where code = $1",
    values: ({ metadata }) => [metadata.code],
  },
  redeem: {
    text: `with redeemed as (
             update floor_vouchers set redeemed = redeemed + 1 where code = $1 and redeemed < quantity
             returning code, discount, quantity, redeemed
           )
           insert into floor_redemptions (code, order_id, amount) select redeemed.code, $2, $3 from redeemed
           returning floor_redemptions.code`,
    values: ({ redeemables, order }) => [redeemables[0].id, order.source_id, order.items.length],
  },
  stack: {
    text: `with redeemed as (
             update floor_vouchers set redeemed = redeemed + 1 where code = any($1) and redeemed < quantity
             returning code, discount, quantity, redeemed
           )
           insert into floor_redemptions (code, order_id, amount) select redeemed.code, $2, $3 from redeemed
           returning floor_redemptions.code`,
    values: ({ redeemables, order }) => [redeemables.map(({ id }) => id), order.source_id, order.items.length],
  },
  publish: {
    text: `with free as (
             select code from floor_vouchers where not is_given limit 1 for update skip locked
           ), given as (
             update floor_vouchers set is_given = true from free where floor_vouchers.code = free.code returning floor_vouchers.code
           )
           insert into floor_publications (code, customer) select given.code, $1 from given returning code`,
    values: ({ customer }) => [customer.source_id],
  },
  rows: {
    text: `with redeemed as (
             update floor_vouchers set redeemed = redeemed + 1 where code = $1 and redeemed < quantity
             returning code, discount, quantity, redeemed
           ), customer as (
             insert into floor_customers (id, source_id, metadata, created_at) values ($2, $3, '{}', now()) returning id
           ), placed as (
             insert into floor_orders (id, source_id, customer_id, amount, items, metadata, created_at)
             select $4, $5, customer.id, $6, $7, '{}', now() from customer returning id
           ), redemption as (
             insert into floor_redemptions_full (id, code, order_id, customer_id, amount, order_after, created_at)
             select $8, redeemed.code, placed.id, customer.id, $6, $9, now() from redeemed, placed, customer returning id, code
           ), event as (
             insert into floor_events (id, type, entity_id, customer_id, data, created_at)
             select $10, 'redemption.succeeded', redemption.id, customer.id, $11, now() from redemption, customer returning id
           ), told as (
             insert into floor_outbox (event_id, created_at) select event.id, now() from event returning event_id
           )
           select redemption.code from redemption, told`,
    values({ redeemables, customer, order }) {
      const [customer_id, order_id, redemption_id, event_id] = Array.from({ length: 4 }, () => randomUUID());
      const amount = order.items.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
      const items = JSON.stringify(order.items);
      return [
        ...[redeemables[0].id, customer_id, customer.source_id, order_id, order.source_id, amount, items],
        ...[redemption_id, items, event_id, JSON.stringify({ redemption_id, order_id })],
      ];
    },
  },
};
const { text, values } = statements[FLOOR_STATEMENT];

/** As long as the service's own answer, so that sending and receiving cost the same. */
const padding = "x".repeat(Math.max(0, Number(FLOOR_REPLY_BYTES) - 60));

const app = fastify();
app.post("/", async ({ body }, reply) => {
  const { rows } = await pool.query({ name: FLOOR_STATEMENT, text, values: values(body) });
  if (rows.length === 0) return reply.code(400).send({ valid: false });
  return { valid: true, code: rows[0].code, padding };
});
console.log(`The floor answers at ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
process.on("SIGTERM", () => process.exit(0));
