// The workload `catalogue`: a service that starts beside n promotions: its first answer, and what it takes in memory then.
import { NotAsExpected } from "./as-expected.mjs";
import { median, rounded } from "./figures.mjs";
import { askOnce } from "./load.mjs";
import { idOf, stockPromotions } from "./promoted.mjs";

const n_max = 1e5;
const first_ms_most = 1000;
const rss_mb_most = 300;

export async function catalogue(stage, { promotions, rounds }) {
  const n = Math.min(promotions, n_max);
  console.error(`catalogue, n = ${n}`);
  await stockPromotions(stage, n, 1);
  const measured = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await firstAnswer(stage, n));
  const of = (field) => Math.round(median(measured.map((one) => one[field])));
  const [first_ms, rss_mb] = [of("first_ms"), of("rss_mb")];
  return {
    workload: "catalogue",
    n,
    rounds,
    first_ms,
    second_ms: rounded(median(measured.map((one) => one.second_ms)), 1),
    empty_rss_mb: of("empty_rss_mb"),
    rss_mb,
    first_ms_target: first_ms_most,
    rss_mb_target: rss_mb_most,
    met: first_ms <= first_ms_most && rss_mb <= rss_mb_most,
  };
}

/** A service of its own, so that nothing is known yet. The last promotion must be found, and apply. */
async function firstAnswer(stage, n) {
  const service = await stage.startService();
  const empty_rss_mb = service.rss_now_mb();
  const ask = async () => {
    const body = {
      redeemables: [{ object: "promotion_tier", id: idOf("promotion_tiers", n) }],
      order: { items: [{ product_id: `prod_${n}`, quantity: 1, price: 5000 }] },
    };
    const begun = performance.now();
    const { valid } = JSON.parse(await askOnce(`${service.url}/v1/validations`, JSON.stringify(body)));
    if (!valid) throw new NotAsExpected(`promotion ${n} is not found`);
    return performance.now() - begun;
  };
  const [first_ms, second_ms] = [await ask(), await ask()];
  const rss_mb = Math.max(service.rss_mb(), service.rss_now_mb());
  await stage.stop(service);
  return { first_ms, second_ms, empty_rss_mb, rss_mb };
}
