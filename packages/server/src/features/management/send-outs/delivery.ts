import { setTimeout as pause } from "node:timers/promises";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { newId } from "../../../platform/ids.js";
import type { MakeWork, Progress, Work } from "../../../platform/jobs/loop.js";
import { createPoster } from "../../../platform/outbound/index.js";
import { attempt, collectEnds, untried } from "./attempt.js";
import { leaseDue, someDue } from "./delivery.store.js";
import { type Prepared, prepare } from "./prepare.js";
import { createRounds, isSame } from "./rounds.js";
import { answer_bytes_max, attempt_ms_max, lease_ms, send_outs_bell } from "./send-out.js";
import { in_flight_max, type Taker } from "./shares.js";

/** How long a step waits for answers before it looks for messages to others. */
const look_ms = 200;
/** Answers that are waited for when the process stops; what comes later is sent again by whoever takes over. */
const stop_ms_max = 8_000;

/**
 * Sends what is due and writes down what came of it. Any number of processes may: a message is one's for the length of a
 * lease, and whoever dies with it is followed by another, so that it is sent at least once. A step begins tries and does not wait
 * for them, so that one webhook that does not answer delays no other; `shares.ts` says how many there may be.
 */
const deliveries: MakeWork = (context, { project_ids }) => {
  const whom = { project_ids: project_ids ?? null };
  const { db, config, bell, log } = context;
  const poster = createPoster({
    allow_private: config.webhook_allow_private ?? false,
    ms_max: attempt_ms_max,
    answer_bytes_max,
  });
  const rounds = createRounds(db, whom);
  const in_flight = new Map<Taker, Promise<void>>();
  const ends = collectEnds(context);
  let is_stopping = false;

  /** Begins tries as far as there is room; answers how many. */
  async function begin(instant: Instant): Promise<number> {
    if (in_flight.size >= in_flight_max) return 0;
    const shares = await rounds.next(instant, [...in_flight.keys()]);
    if (shares.length === 0) return 0;
    const leased = await leaseDue(db, shares, { instant, token: newId("lease"), until: instant + lease_ms });
    for (const project_id of new Set(leased.map((one) => one.project_id))) {
      const own = leased.filter((one) => one.project_id === project_id);
      // Nor does anybody wait for what a project's messages say.
      const preparing = prepare(context, project_id, own, instant);
      preparing.catch((err: Error) => log.error({ project_id, err }, "messages to webhooks wait for another try"));
      for (const one of own) {
        const taker = { ...one, is_failing: shares.some((share) => share.is_failing && isSame(share, one)) };
        in_flight.set(
          taker,
          tryOnce(preparing, one.id, instant).finally(() => in_flight.delete(taker)),
        );
      }
    }
    return leased.length;
  }

  /** Whatever it comes to; nothing where it could not be prepared, and the lease runs out. */
  async function tryOnce(preparing: Promise<Prepared>, id: string, instant: Instant): Promise<void> {
    const message = (await preparing.catch(() => undefined))?.get(id);
    if (!message || is_stopping) return;
    const one = "secret" in message ? await attempt(poster, message, instant) : untried(message);
    // What we broke off ourselves is no fault of the receiver's.
    if (!(is_stopping && one.has_failed)) ends.add(one);
  }

  async function step(instant: Instant): Promise<Progress> {
    await ends.record(instant);
    if ((await begin(instant)) > 0) return "more";
    if (in_flight.size === 0) return ends.some() ? "more" : "nothing";
    await someAnswerOr(bell, in_flight.values());
    return "more";
  }

  return {
    name: "send-outs",
    bell: { name: send_outs_bell, pause_ms: 0 },
    due: (instant) => someDue({ ...whom, instant }),
    step,
    async stop() {
      await Promise.race([Promise.all(in_flight.values()), pause(stop_ms_max, undefined, { ref: false })]);
      is_stopping = true;
      await poster.close();
      await ends.record(context.clock.now()).catch((err: Error) => log.error({ err }, "answers of webhooks were lost"));
    },
  } satisfies Work;
};

export const works: readonly MakeWork[] = [deliveries];

/** Resolves when an answer has come, when there may be messages to others, or after a while in which there may. */
async function someAnswerOr(bell: Context["bell"], answers: Iterable<Promise<void>>): Promise<void> {
  const ending = new AbortController();
  let silence = () => {};
  const rung = new Promise<void>((resume) => (silence = bell.onRing(send_outs_bell, resume)));
  const waited = pause(look_ms, undefined, { signal: ending.signal }).catch(() => undefined);
  await Promise.race([...answers, rung, waited]);
  ending.abort();
  silence();
}
