// The hostile project's clients, in a thread of their own.
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { NotAsExpected } from "./as-expected.mjs";
import { attacks } from "./hostile-attacks.mjs";

/** Longer than anything that is allowed may take; a run without bounds ends here instead of hours later. */
const answer_ms_max = 120_000;

const { url, headers } = workerData;
const clients = new Map();

/** How its key asks. What it is answered but for 2xx, 429 and 503 is told. */
async function ask(method, path, body) {
  const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(url + path, { method, headers, body: sent, signal: AbortSignal.timeout(answer_ms_max) });
  const text = await answer.text();
  const again_ms = Number(answer.headers.get("retry-after") ?? 0) * 1000;
  return { status: answer.status, text, again_ms };
}

/** A connection that broke, or an answer that did not come. */
const cut = async () => {
  await pause(20);
  return { status: "cut", text: "", again_ms: 0 };
};

/** Every client asks again as soon as it is answered; who is told when to come again comes then. */
function attack(names) {
  let is_ending = false;
  const statuses = {};
  const run = async (client) => {
    while (!is_ending) {
      const { status, text, again_ms } = await client().catch(cut);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status >= 500 && status !== 503) throw new NotAsExpected(`the attack is answered ${status}: ${text}`);
      if (again_ms > 0 && !is_ending) await pause(again_ms);
    }
  };
  const running = Promise.all(names.flatMap((name) => clients.get(name).map(run)));
  // Told by whoever ends it.
  running.catch(() => undefined);
  return async () => {
    is_ending = true;
    await running;
    return statuses;
  };
}

let end;
const deeds = {
  async prepare(name) {
    const prepared = await attacks[name](ask);
    clients.set(name, prepared.clients);
    return prepared.said;
  },
  start(names) {
    end = attack(names);
  },
  end: () => end(),
};

parentPort.on("message", async ({ does, what }) => {
  try {
    parentPort.postMessage({ answered: await deeds[does](what) });
  } catch (error) {
    parentPort.postMessage({ failed: error.message });
  }
});
