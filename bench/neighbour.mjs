// A quiet client that validates now and then, whatever else the service is doing: how long it waits is what others cost it.
import { setTimeout as pause } from "node:timers/promises";
import { NotAsExpected } from "./as-expected.mjs";
import { headers } from "./stage.mjs";

/** Between two of its requests. */
export const neighbour_pause_ms = 5;

/** One client that validates, waits a little and validates again, and what it is answered is held against what it must be. */
export function neighbourOf(url, { request, check }) {
  let asked = 0;
  const once = async () => {
    const { body, about } = request(asked);
    asked += 1;
    const begun = performance.now();
    const answer = await fetch(`${url}/v1/validations`, { method: "POST", headers, body }).catch(() => undefined);
    const text = await answer?.text();
    const took_ms = performance.now() - begun;
    // Refused or cut off is worse than late, and told apart.
    if (answer?.status !== 200) return { took_ms, failed: true };
    const wrong = check(JSON.parse(text), about);
    if (wrong) throw new NotAsExpected(`the neighbour is answered ${wrong}`);
    return { took_ms, failed: false };
  };
  const asking = async (isOver) => {
    const answers = [];
    while (!isOver() || answers.length < 3) {
      answers.push(await once());
      await pause(neighbour_pause_ms);
    }
    return answers;
  };
  return {
    during(ms) {
      const until = performance.now() + ms;
      return asking(() => performance.now() >= until);
    },
    /** Until the work has ended. */
    async beside(work) {
      let is_over = false;
      const end = () => {
        is_over = true;
      };
      work.then(end, end);
      const answers = await asking(() => is_over);
      await work;
      return answers;
    },
  };
}

export function quantilesOf(answers) {
  const sorted = answers.map(({ took_ms }) => took_ms).toSorted((a, b) => a - b);
  const failed = answers.filter((one) => one.failed).length;
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { asked: sorted.length, failed, p50_ms: at(0.5), p99_ms: at(0.99), most_ms: sorted.at(-1) };
}
