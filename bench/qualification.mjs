// The workload `qualification`: what a page of a shop asks, over HTTP, at a hundred to ten thousand promotions.
import { differs } from "./as-expected.mjs";
import { machineLines, rounded, today } from "./figures.mjs";
import { askOnce, inTurn } from "./load.mjs";
import { stockPromotions } from "./promoted.mjs";
import { resultOf } from "./report.mjs";
import { settle } from "./stage.mjs";
import { codeOf } from "./stock.mjs";

const sizes = [1e2, 1e3, 1e4];
/** Codes of one campaign, which is found beside the promotions. */
const vouchers = 1000;
const lines = 5;

export async function qualification(stage, options) {
  const measured = [];
  for (const n of sizes.filter((size) => size <= options.promotions)) measured.push(await atSize(stage, n, options));
  return { workload: "qualification", concurrency: options.concurrency, sizes: measured };
}

async function atSize(stage, n, options) {
  console.error(`qualification, n = ${n}`);
  await stockPromotions(stage, n, vouchers);
  await settle(stage.db);
  const service = await stage.startService();
  const url = `${service.url}/v1/qualifications`;
  const workload = carts(n, options.concurrency);
  const begun = performance.now();
  const bytes = Buffer.byteLength(await askOnce(url, workload.request().body));
  const first_ms = performance.now() - begun;
  const floor = await stage.startFloor("metadata", bytes);
  const sides = [
    { name: "floor", process_: floor, url: floor.url, workload: { ...workload, check: floorCheck } },
    { name: "service", process_: service, url, workload },
  ];
  await inTurn(stage, sides, options);
  const [beneath, ours] = sides;
  const result = resultOf({
    name: "qualification",
    n,
    target: 0,
    options,
    ours,
    floor: beneath,
    rss_mb: service.rss_mb(),
  });
  await Promise.all([stage.stop(service), stage.stop(floor)]);
  return { ...result, first_ms, reply_bytes: bytes };
}

const floorCheck = ({ valid }) => differs([valid], [true]);

/** Carts of products all over the stock, of each of which there is one promotion. */
function carts(n, concurrency) {
  let state = 1;
  const next = (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most) % most;
  };
  return {
    concurrency,
    request() {
      const numbers = Array.from({ length: lines }, () => 1 + next(n - 1));
      const items = numbers.map((i) => ({ product_id: `prod_${i}`, quantity: 1, price: 1000 }));
      const body = { order: { items }, options: { limit: 10 }, metadata: { code: codeOf(1 + next(vouchers)) } };
      return { about: { promotions: new Set(numbers).size }, body: JSON.stringify(body) };
    },
    check({ redeemables: { data } }, { promotions }) {
      const found = data.filter(({ object }) => object === "promotion_tier");
      return differs(
        [found.length, data.length, ...found.map(({ order }) => order.total_discount_amount)],
        [promotions, promotions + 1, ...found.map(() => 100)],
      );
    },
  };
}

export function qualificationSection(heading, [{ concurrency, sizes: measured }], machine, { rounds, seconds }) {
  const row = ({ n, rps, p50_ms, p99_ms, floor_rps, ratio, cpu_us, first_ms, reply_bytes, rss_mb }) =>
    `| ${n} | ${rounded(rps)} | ${rounded(p50_ms, 1)}, ${rounded(p99_ms, 1)} | ${rounded(floor_rps)} | **${rounded(ratio, 3)}** | ${rounded(cpu_us.ours.service)}, ${rounded(cpu_us.ours.postgres)} | ${rounded(first_ms)} | ${reply_bytes} | ${rss_mb} |`;
  return [
    heading,
    "",
    `Measured on ${today()}.`,
    ...machineLines(machine),
    "",
    "| Promotions | Requests/s | p50, p99 ms | Floor/s | Ratio | CPU µs: service, PostgreSQL | First answer ms | Bytes | RSS MB |",
    "|---|---|---|---|---|---|---|---|---|",
    ...measured.map(row),
    "",
    `\`POST /v1/qualifications\` by ${concurrency} clients, median of ${rounds} rounds of ${seconds} s: carts of five lines, each promotion for a product of`,
    "its own under a rule of two conditions, so that five promotions and a campaign qualify. The first answer of a process reads the",
    "catalogue and makes the indexes. The floor reads one row by the same body and answers as many bytes.",
  ].join("\n");
}
