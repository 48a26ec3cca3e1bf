// Sends requests with autocannon and measures what comes back; ours and the floor's in turn.
import autocannon from "autocannon";
import { NotAsExpected } from "./as-expected.mjs";
import { headers, settle } from "./stage.mjs";

/** Every so-manieth answer is read and held against what it must say. */
const sampled_every = 32;
const warm_up_s = 3;
/**
 * Requests until a process is as fast as it gets, since what it runs is compiled by and by: after 3,000 a redemption takes about
 * twice the CPU that it takes after 6,000. By as many clients as a busy shop has, also where one is measured alone.
 */
const warm_up_requests = 10_000;
const warm_up_clients = 64;

/**
 * Sends exactly `amount` requests, so that the database can be asked afterwards whether it did as many. `request(i)` gives
 * the body and what a check needs to know; `check(answer, about)` answers what is wrong with a sampled answer, if anything.
 */
export async function load(url, { amount, concurrency, request, check, refused = () => false }) {
  let sent = 0;
  let answered = 0;
  let begun = 0;
  let ended = 0;
  let granted = 0;
  let wrong;
  const took_ms = [];
  const each = {
    method: "POST",
    headers,
    setupRequest(plain, context) {
      begun ||= performance.now();
      const { body, about } = request(sent);
      context.about = about;
      sent += 1;
      return { ...plain, body };
    },
    onResponse(status, body, { about }) {
      ended = performance.now();
      answered += 1;
      if (status === 200) granted += 1;
      else if (!refused(status, body)) wrong ??= `${status} ${body}`;
      if (status === 200 && answered % sampled_every === 1) wrong ??= check(JSON.parse(body), about);
    },
  };
  const running = autocannon({ url, connections: concurrency, amount, timeout: 60, requests: [each] });
  running.on("response", (_client, _status, _bytes, ms) => took_ms.push(ms));
  const { errors, timeouts } = await running;
  if (errors + timeouts > 0)
    throw new NotAsExpected(`${errors} connections broke and ${timeouts} requests timed out at ${url}`);
  if (wrong) throw new NotAsExpected(`an answer of ${url} is not the expected one: ${wrong}`);
  took_ms.sort((a, b) => a - b);
  const quantile = (share) => took_ms[Math.min(took_ms.length - 1, Math.floor(took_ms.length * share))];
  return { answered, granted, rps: (answered / (ended - begun)) * 1000, p50_ms: quantile(0.5), p99_ms: quantile(0.99) };
}

/** One answer, to be looked at. */
export async function askOnce(url, body) {
  const answer = await fetch(url, { method: "POST", headers, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new NotAsExpected(`${url} answers ${answer.status}: ${text}`);
  return text;
}

/** Warms a process up and learns how many requests fill the given time. */
export async function warmUp(url, workload) {
  const { concurrency } = workload;
  const crowd = { ...workload, concurrency: Math.max(concurrency, warm_up_clients) };
  const first = await load(url, { ...crowd, amount: warm_up_requests });
  const second = await load(url, {
    ...workload,
    amount: atLeast(concurrency, (first.rps / crowd.concurrency) * concurrency * warm_up_s),
  });
  return { granted: first.granted + second.granted, rps: second.rps };
}

const atLeast = (least, number) => Math.max(least, Math.round(number));

/** The service and the floor in turn, the same number of rounds each. Answers each one's rounds with the CPU they took. */
export async function inTurn(stage, sides, { rounds, seconds }) {
  for (const side of sides) {
    side.rounds = [];
    const warm = await warmUp(side.url, side.workload);
    side.granted = warm.granted;
    side.rps = warm.rps;
    await settle(stage.db);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) {
      // Autovacuum would do so within a minute: of what one side has written beside the other's round, and until then plans are made for
      // the empty tables of a minute ago.
      await stage.db.query("analyze");
      await stage.db.query("checkpoint");
      const before = await cpuNow(stage, side);
      const amount = atLeast(side.workload.concurrency, side.rps * seconds);
      const measured = await load(side.url, { ...side.workload, amount });
      side.rounds.push({ ...measured, cpu_us: perRequest(before, await cpuNow(stage, side), measured.answered) });
      side.granted += measured.granted;
      side.rps = measured.rps;
      await settle(stage.db);
    }
    console.error(`  round ${round + 1}: ${sides.map(({ name, rps }) => `${name} ${Math.round(rps)}/s`).join(", ")}`);
  }
}

async function cpuNow(stage, { process_ }) {
  const { user, system } = process.cpuUsage();
  return { service: process_.cpu(), postgres: await stage.postgresCpu(), load: (user + system) / 1e6 };
}

function perRequest(before, after, requests) {
  const names = Object.keys(before).filter((name) => before[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, Math.round(((after[name] - before[name]) / requests) * 1e6)]));
}
