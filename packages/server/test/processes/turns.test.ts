import { Agent, request } from "node:http";
import { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { by_the_clock } from "../harness/by-the-clock.js";
import { createClient } from "../harness/client.js";
import { cleanUpProcesses, startProcess } from "../harness/process.js";
import { aUsedDataDir } from "../harness/templates.js";

cleanUpProcesses();

const rush_max = 600;
const discount = { type: "AMOUNT", amount_off: 100 };

const validation = (id: string, more = {}) => ({
  redeemables: [{ object: "voucher", id }],
  order: { amount: 1000 },
  ...more,
});

/** A service of a process of its own, with two projects. */
async function twoProjects() {
  const { data_dir, credentials } = await aUsedDataDir();
  const { url } = await startProcess({ env: { GUERDON_DATA_DIR: data_dir } });
  const management = createClient(url, {
    "x-management-id": credentials.GUERDON_MANAGEMENT_ID ?? "",
    "x-management-token": credentials.GUERDON_MANAGEMENT_TOKEN ?? "",
  });
  const made = await management.post("/management/v1/projects", { name: "neighbour" }, 200);
  const { app_id, app_token } = made.body.server_side_key;
  const neighbour = { "x-app-id": app_id, "x-app-token": app_token };
  await createClient(url, neighbour).post("/v1/vouchers/QUIET", { discount }, 200);
  const { GUERDON_APP_ID = "", GUERDON_APP_TOKEN = "" } = credentials;
  const headers = { "x-app-id": GUERDON_APP_ID, "x-app-token": GUERDON_APP_TOKEN };
  return { url, headers, api: createClient(url, headers), validate: () => validateQuietly(url, neighbour) };
}

/** One connection that is kept: what a rush does to the making of connections is not what is measured. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

function validateQuietly(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((answered, fail) => {
    const options = { agent, method: "POST", headers: { ...headers, "content-type": "application/json" } };
    const sent = request(`${url}/v1/validations`, options, (response) => {
      response.resume().on("end", () => answered(response.statusCode));
    });
    sent.on("error", fail).end(JSON.stringify(validation("QUIET")));
  });
}

/** Times of a neighbour's validations, one after the other as long as it is said, in milliseconds. */
async function timesOf(validate: () => Promise<number | undefined>, goesOn: (count: number) => boolean) {
  const times: number[] = [];
  while (goesOn(times.length)) {
    const begun = performance.now();
    expect(await validate()).toBe(200);
    times.push(performance.now() - begun);
  }
  return times;
}

const quantile = (times: number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN;

/** Sends the same request six hundred times at once, from a thread of its own; answers how often each status came. */
function rushOn(url: string, headers: Record<string, string>, body: unknown): Promise<Record<string, number>> {
  const code = `
    const { workerData: { url, headers, body, rush_max }, parentPort } = require("node:worker_threads");
    const http = require("node:http");
    const agent = new http.Agent({ keepAlive: true, maxSockets: rush_max });
    const counts = {};
    let left = rush_max;
    const count = (status) => {
      counts[status] = (counts[status] ?? 0) + 1;
      left -= 1;
      if (left === 0) { parentPort.postMessage(counts); agent.destroy(); }
    };
    for (let i = 0; i < rush_max; i += 1)
      http.request(url, { agent, method: "POST", headers }, (response) => {
        response.resume().on("end", () => count(response.statusCode));
      }).on("error", (error) => count(error.code)).end(body);`;
  const workerData = {
    url,
    rush_max,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const worker = new Worker(code, { eval: true, workerData });
  return new Promise((answered, fail) => worker.once("message", answered).once("error", fail));
}

test.each([
  ["locking validations of one voucher", "/v1/validations", validation("HOT", { session: { type: "LOCK" } })],
  ["upserts of one customer", "/v1/customers", { source_id: "one", name: "One" }],
])("%s, six hundred at once, hardly delay a neighbour", by_the_clock, async (_, path, body) => {
  const { url, headers, api, validate } = await twoProjects();
  await api.post("/v1/vouchers/HOT", { discount, redemption: { quantity: rush_max } }, 200);
  await timesOf(validate, (count) => count < 40);
  const quiet = quantile(await timesOf(validate, (count) => count < 40), 0.5);

  let statuses: Record<string, number> | undefined;
  const rush = rushOn(url + path, headers, body).then((counts) => (statuses = counts));
  const times = await timesOf(validate, () => !statuses);
  await rush;
  expect(statuses).toEqual({ 200: rush_max });
  // Nine of ten, and the others wait for the moment in which the six hundred arrive; it was four and six seconds.
  expect(quantile(times, 0.9)).toBeLessThan(10 * Math.max(quiet, 5));
  expect(Math.max(...times)).toBeLessThan(1_000);
});
