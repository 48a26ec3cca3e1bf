// The floor: the least that a service on Fastify and PostgreSQL could do for the same request. Its own process.
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
