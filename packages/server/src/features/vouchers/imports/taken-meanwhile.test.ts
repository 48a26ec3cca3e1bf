import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { importsOn } from "../../imports/import.fixtures.js";

const service = await startService();
const { context } = service;
const { send, ended } = importsOn(service);

test("an import meets a code that somebody takes while it is under way: that row is refused, and the others are taken", async () => {
  const other = await service.anotherProject();
  const started = await send(
    other.api,
    "/v1/vouchers/importCSV",
    "Code,Voucher Type,Value\nMINE,GIFT_VOUCHER,1\nTAKEN,GIFT_VOUCHER,1",
    {
      status: 202,
    },
  );
  // Not committed while the import looks for the code, and so not seen: it waits where the code is written.
  let take = () => {};
  const seen = new Promise<void>((resolve) => {
    take = resolve;
  });
  const taking = context.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into vouchers (project_id, id, code, code_key, campaign_id, type, metadata, active, created_at)
      values (${other.id}, 'v_taken', 'TAKEN', 'TAKEN', 'camp_theirs', 'GIFT_VOUCHER', '{}', true, timestamptz '2026-01-01')`);
    await seen;
  }, other.id);
  const done = ended(other, started);
  await expect
    .poll(async () => {
      const { count } = await context.db.one<{ count: number }>(sql`-- every project: whoever waits for the code
        select count(*) as count from pg_stat_activity
         where pg_stat_activity.wait_event = 'transactionid' and pg_stat_activity.query like 'insert into vouchers%'`);
      return count;
    })
    .toBe(1);
  take();
  await taking;
  expect((await done).result).toMatchObject({
    done_count: 1,
    failed: [{ code: "TAKEN", row: 2, reason: "Duplicated voucher exists with id TAKEN" }],
  });
  await other.api.get("/v1/vouchers/MINE", 200);
});
