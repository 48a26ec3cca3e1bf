import { beforeAll, expect, test } from "vitest";
import { form_type, formOf } from "../../src/features/imports/import.fixtures.js";
import { buildIfStale, cleanUpProcesses } from "../harness/process.js";
import { aCluster, untilDone } from "./async.fixtures.js";
import { amongDyingWorkers } from "./dying-workers.fixtures.js";

beforeAll(buildIfStale, 120_000);
cleanUpProcesses();

test("a file of 8,000 vouchers is imported among workers that are killed again and again as it is by one that lives", async () => {
  const count = 8_000;
  const cluster = await aCluster();
  const { api } = await cluster.service({ GUERDON_ROLE: "api" });
  const { body: campaign } = await api.post(
    "/v1/campaigns",
    { name: "Killed", voucher: { type: "GIFT_VOUCHER", gift: { amount: 100 } } },
    200,
  );
  // Every tenth row is refused, and every seventh brings a credit of its own.
  const rows = Array.from({ length: count }, (_, i) => (i % 10 === 9 ? `,${i}` : `K-${i},${i % 7 === 0 ? 5 : ""}`));
  const raw = formOf(["Code,Gift Amount", ...rows].join("\n"));
  const path = `/v1/campaigns/${campaign.id}/importCSV`;
  const { body } = await api.send("POST", path, { raw, headers: { "content-type": form_type }, status: 200 });
  const id = body.async_action_id as string;

  let done = 0;
  const kills = await amongDyingWorkers(() => cluster.service({ GUERDON_ROLE: "worker" }), {
    // A slice is some thousand rows: a hundredth of what is done counts as one.
    done: () => done,
    count: count / 100,
    dying_ms_max: 250,
    async all() {
      while (done < count / 100) {
        const { rows } = await cluster.db.query(
          "select done_count + failed_count as n from async_actions where id = $1",
          [id],
        );
        done = Math.floor(Number(rows[0].n) / 100);
      }
    },
  });
  await untilDone(cluster, id);
  expect(kills).toBeGreaterThan(0);
  const made = count - count / 10;
  const { result } = (await api.get(`/v1/async-actions/${id}`, 200)).body;
  expect(result).toMatchObject({
    message: `${made} voucher(s) imported successfully, ${count / 10} failed.`,
    done_count: made,
    failed_count: count / 10,
  });
  expect(result.failed.map(({ row }: { row: number }) => row)).toEqual(
    Array.from({ length: count / 10 }, (_, i) => 10 * (i + 1)),
  );
  expect(await cluster.vouchersOf(campaign.id)).toEqual({ vouchers: made, codes: made, counted: made });
  const { rows: sums } = await cluster.db.query(
    `select count(*)::int as cards, sum(balance)::int as credits from card_balances where project_id = $1`,
    [(await cluster.db.query("select project_id from campaigns where id = $1", [campaign.id])).rows[0].project_id],
  );
  const own = rows.filter((row) => row.endsWith(",5")).length;
  expect(sums[0]).toEqual({ cards: made, credits: (made - own) * 100 + own * 500 });
  const left = await cluster.db.query("select count(*)::int as n from import_pieces");
  expect(left.rows[0].n).toBe(0);
  const told = await cluster.db.query(
    "select data ->> 'count' as n from events where type = 'campaign.vouchers.added'",
  );
  expect(told.rows).toEqual([{ n: String(made) }]);
}, 300_000);
