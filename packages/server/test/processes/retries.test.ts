import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { Answer, Client } from "../harness/client.js";
import {
  buildIfStale,
  cleanUpProcesses,
  clientOf,
  embeddedUrl,
  printedCredentials,
  scratch,
  startProcess,
} from "../harness/process.js";
import { startProxy } from "../harness/proxy.js";

cleanUpProcesses();
beforeAll(buildIfStale);

const secret = { GUERDON_SECRET_KEY: "07".repeat(32) };

/** A process, another on its database that can be cut off from it, and a code. */
async function twoProcesses() {
  const data_dir = join(scratch(), "data");
  const first = await startProcess({ env: { GUERDON_DATA_DIR: data_dir, ...secret } });
  const proxy = await startProxy(embeddedUrl(data_dir));
  const second = await startProcess({
    env: { GUERDON_DATA_DIR: scratch(), DATABASE_URL: proxy.url, GUERDON_ROLE: "api", ...secret },
  });
  const credentials = printedCredentials(first.out());
  const [stays, dies] = [clientOf(first.url, credentials), clientOf(second.url, credentials)];
  await stays.post("/v1/vouchers/CODE", { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
  return { stays, dies, proxy, second };
}

const redeem = (api: Client, key: string): Promise<Answer> =>
  api.send("POST", "/v1/redemptions", {
    raw: JSON.stringify({ redeemables: [{ object: "voucher", id: "CODE" }], order: { amount: 500 } }),
    headers: { "content-type": "application/json", "idempotency-key": key },
  });

/** As a client does that was told nothing: again and again, until there is more to hear than that it is under way. */
async function untilAnswered(api: Client, key: string): Promise<Answer> {
  for (;;) {
    const answer = await redeem(api, key);
    if (answer.status !== 409) return answer;
    await pause(20);
  }
}

const isReplayed = ({ headers }: Answer) => headers.get("idempotent-replayed") === "true";
const redeemedTimes = async (api: Client) =>
  (await api.get("/v1/vouchers/CODE", 200)).body.redemption.redeemed_quantity;

describe("a redemption whose process is killed at its commit", () => {
  test.each([
    ["after", "was committed", true],
    ["before", "was not", false],
  ] as const)("%s the database did it: whoever asks again learns that it %s", async (cut, _, was_done) => {
    const { stays, dies, proxy, second } = await twoProcesses();
    const at_commit = proxy.cutAt("commit work", cut);
    const unanswered = redeem(dies, "key").then(
      () => "answered",
      () => "unanswered",
    );
    await at_commit;
    proxy.reachable(false);
    second.signal("SIGKILL");
    expect(await unanswered).toBe("unanswered");
    if (was_done) await expect.poll(() => redeemedTimes(stays)).toBe(1);
    const answer = await untilAnswered(stays, "key");
    expect(answer.status).toBe(200);
    expect(isReplayed(answer)).toBe(was_done);
    expect(await redeemedTimes(stays)).toBe(1);
    expect((await stays.get("/v1/redemptions", 200)).body.redemptions[0].id).toBe(answer.body.redemptions[0].id);
  });
});

test("64 requests with one key to two processes redeem once", async () => {
  const { stays, dies } = await twoProcesses();
  const answers = await Promise.all(Array.from({ length: 64 }, (_, i) => redeem(i % 2 ? stays : dies, "key")));
  const done = answers.filter(({ status }) => status === 200);
  for (const { status, body } of answers)
    if (status !== 200) expect({ status, key: body.key }).toEqual({ status: 409, key: "idempotency_key_in_use" });
  expect(done.filter((answer) => !isReplayed(answer))).toHaveLength(1);
  expect(new Set(done.map(({ body }) => body.redemptions[0].id)).size).toBe(1);
  expect(await redeemedTimes(stays)).toBe(1);
});
