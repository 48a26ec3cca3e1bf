import { ALWAYS } from "@guerdon/engine";
import { test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { findProject } from "../projects/index.js";
import { generateVouchers } from "./generation.js";

const { context, project: own, api } = await startService();
test("measure", async () => {
  const project = (await findProject(context.db, own.id))!;
  const made = {
    ...ALWAYS,
    campaign_id: "camp_m",
    type: "GIFT_VOUCHER" as const,
    discount: null,
    gift: { amount: 500, effect: "APPLY_TO_ORDER" as const },
    loyalty_card: null,
    quantity: null,
    category_id: null,
    active: true,
    additional_info: null,
    metadata: {},
    is_referral_code: false,
  };
  const wide = { length: 10, charset: "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", pattern: "##########" };
  const times: number[] = [];
  for (let i = 0; i < 50; i += 1) {
    const t = performance.now();
    await context.db.transaction((tx) =>
      generateVouchers(tx, { project, made, code_config: wide, instant: 1772445600000 + i }, 2000),
    );
    times.push(Math.round(performance.now() - t));
  }
  console.log("slices of 2000:", times.slice(0, 5), times.slice(-5));
  for (const q of [
    "limit=10",
    "order=code",
    "order=-code",
    "campaign_id=camp_m",
    "order=-updated_at",
    "page=99&limit=100",
  ]) {
    const t = performance.now();
    await api.get(`/v1/vouchers?${q}`, 200);
    console.log(q, Math.round(performance.now() - t));
  }
  const small = { length: 6, charset: "0123456789", prefix: "M-", pattern: "######" };
  // Fill a million-code space is long; list it once while nearly empty by asking through an exhausted small sample.
  const t = performance.now();
  const four = { ...small, length: 5, pattern: "#####" };
  let n = 0;
  while (n < 100_000)
    n += (
      await context.db.transaction((tx) =>
        generateVouchers(
          tx,
          {
            project,
            made: { ...made, gift: null, type: "DISCOUNT_VOUCHER" as const },
            code_config: four,
            instant: 1772445600000,
          },
          5000,
        ),
      )
    ).length;
  console.log("100,000 of 100,000:", Math.round(performance.now() - t));
}, 120_000);
