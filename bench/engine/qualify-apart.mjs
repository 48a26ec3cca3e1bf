// `qualify` and `qualify_edits` at one size, measured in a process of their own (apart.mjs).
import { createQualificationIndex } from "@guerdon/engine";
import { NotAsExpected } from "../as-expected.mjs";
import { median } from "../figures.mjs";
import { applies, candidatesOf, compiled, compiledOnDemand, contextOf, predicatesFor, qualify } from "./catalogue.mjs";
import { cartsOf, plainCart, promotionsOf } from "./promotions.mjs";
import { inTurn, memory_mb, profiledAges, quantile, timed } from "./timing.mjs";

const carts_count = 64;
/** Rules kept compiled; at 2 KB each next to nothing. */
const kept_max = 10_000;
/** The oracle looks at so many rules or more, and at no fewer carts than these; the closures written by hand see all carts. */
const judged_max = 5e6;
const oracle_carts_min = 5;
const chunk = 1000;
const edits_count = 5000;

export function measure({ n, rounds, seconds, edits, only_profile }) {
  const promotionOf = promotionsOf(n);
  const before = memory_mb();
  const { index, texts, ...building } = build(n, promotionOf);
  const after = memory_mb();
  const carts = Array.from({ length: carts_count }, (_, k) => cartsOf(n)(k));
  const compiledOf = compiledOnDemand(texts, kept_max);
  const ours = (i) => qualify(index, compiledOf, carts[i % carts_count]);
  if (only_profile) return profiledAges(ours, seconds);
  const closures = Array.from({ length: n }, (_, i) => promotionOf(i)).map(({ id, holds }) => ({ id, holds }));
  const floor = (i) => allThatHold(closures, carts[i % carts_count]);
  const [our_rounds, floor_rounds] = inTurn([{ work: ours }, { work: floor }], { rounds, seconds });
  const cold = timed((i) => qualify(index, compiledOnDemand(texts, kept_max), carts[i % carts_count]), seconds);
  const edited = edits ? measuredEdits(index, n) : undefined;
  const found = carts.map((_, i) => ours(i));
  const beside = besideKept(carts, texts);
  const by_hand = carts.map((_, i) => floor(i));
  assertSame(found, by_hand, "the closures written by hand");
  assertSame(found, beside.expected, "all rules judged one by one");
  return {
    n,
    our_rounds,
    floor_rounds,
    cold_p50_ms: cold.p50_ms,
    cold_p99_ms: cold.p99_ms,
    ...building,
    rss_mb: after.rss,
    growth_mb: after.used - before.used,
    matches: median(found.map(({ length }) => length)),
    candidates: median(carts.map((cart) => candidatesOf(index, cart).length)),
    kept_growth_mb: beside.growth_mb,
    all_rules_p50_ms: beside.p50_ms,
    edits: edited,
  };
}

/** The texts of the rules and the index over them, and how long both took. Rules are compiled for the index and dropped. */
function build(n, promotionOf) {
  const index = createQualificationIndex();
  const texts = new Map();
  let texts_mb = 0;
  let compile_ms = 0;
  let build_ms = 0;
  for (let from = 0; from < n; from += chunk) {
    const made = [];
    for (let i = from; i < Math.min(n, from + chunk); i += 1) {
      const { id, stored } = promotionOf(i);
      made.push({ id, text: JSON.stringify(stored) });
    }
    const begun = performance.now();
    const known = made.map(({ text }) => predicatesFor(compiled(text)));
    const parsed = performance.now();
    made.forEach(({ id }, at) => {
      index.put(id, known[at]);
    });
    build_ms += performance.now() - parsed;
    compile_ms += parsed - begun;
    for (const { id, text } of made) {
      texts.set(id, text);
      texts_mb += text.length / 2 ** 20;
    }
  }
  return { index, texts, texts_mb, compile_ms, build_ms };
}

function allThatHold(closures, cart) {
  const plain = plainCart(cart);
  const found = [];
  for (const { id, holds } of closures) if (holds(plain)) found.push(id);
  return found;
}

/** Everything kept compiled: what that takes, and every rule judged for some carts, which is the oracle. */
function besideKept(carts, texts) {
  const before = memory_mb();
  const kept = new Map();
  for (const [id, text] of texts) kept.set(id, compiled(text));
  const growth_mb = memory_mb().used - before.used;
  const took_ms = [];
  const expected = carts.slice(0, Math.max(oracle_carts_min, judged_max / texts.size)).map((cart) => {
    const begun = performance.now();
    const context = contextOf(cart);
    const found = [];
    for (const [id, one] of kept) if (applies(one, context)) found.push(id);
    took_ms.push(performance.now() - begun);
    return found;
  });
  return { growth_mb, p50_ms: median(took_ms), expected };
}

function assertSame(found, expected, by) {
  expected.forEach((ids, k) => {
    const [ours, theirs] = [new Set(found[k]), new Set(ids)];
    const differing = [...found[k].filter((id) => !theirs.has(id)), ...ids.filter((id) => !ours.has(id))];
    if (differing.length > 0)
      throw new NotAsExpected(`cart ${k}: the index and ${by} differ over ${differing.slice(0, 3).join(", ")}`);
  });
}

/** Promotions that come, change and go, all ready to be put: what an edit costs the index alone. */
function measuredEdits(index, n) {
  const promotionOf = promotionsOf(n);
  const predicatesOfNth = (i) => predicatesFor(compiled(JSON.stringify(promotionOf(i).stored)));
  const spread = (k) => Math.floor((k / edits_count) * n);
  const others = Array.from({ length: edits_count }, (_, k) => predicatesOfNth(n + k));
  const own = Array.from({ length: edits_count }, (_, k) => predicatesOfNth(spread(k)));
  const put = eachTimed((k) => index.put(`more_${k}`, others[k]));
  const remove = eachTimed((k) => index.remove(`more_${k}`));
  const replace = eachTimed((k) => index.put(`promo_${spread(k)}`, others[k]));
  const back = eachTimed((k) => index.put(`promo_${spread(k)}`, own[k]));
  return { put, replace, remove, back };
}

function eachTimed(work) {
  const took_us = [];
  for (let k = 0; k < edits_count; k += 1) {
    const begun = performance.now();
    work(k);
    took_us.push((performance.now() - begun) * 1000);
  }
  took_us.sort((a, b) => a - b);
  const mean_us = took_us.reduce((sum, us) => sum + us, 0) / edits_count;
  return { mean_us, p50_us: quantile(took_us, 0.5), p99_us: quantile(took_us, 0.99), max_us: took_us.at(-1) };
}
