import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { newId } from "../../platform/ids.js";
import type { MakeWork, Progress } from "../../platform/jobs/loop.js";
import type { OpenApart } from "./apart.js";
import { openPast, type Past } from "./past.js";
import { day_ms, days_max, type LeasedShop, openedAt } from "./sample-shop.js";
import { samples_bell } from "./sample-shop.service.js";
import { leaseSample, putProgress, someToMake } from "./sample-shop.store.js";
import { liveADay } from "./shop/days.js";
import { openTheShop } from "./shop/opening.js";

/** Far longer than a day of the past takes; should its process die another one goes on after this. */
const lease_ms = 60_000;
const failures_max = 5;
const nights_together = 5;
const failure_pause_ms = 2_000;

/**
 * Makes sample shops, a day of their past at a time. Which day it is at is written down after each; whoever goes on after a death sends
 * the requests of that day again, and those that were answered are answered the same by their `Idempotency-Key`.
 */
export const makingSampleShops =
  (openApart: OpenApart): MakeWork =>
  (context: Context, { project_ids = null }: { project_ids?: readonly string[] | null }) => {
    const { db, log } = context;
    const by = newId("lease");
    let at_work: { project_id: string; past: Past } | undefined;

    async function close(): Promise<void> {
      const closing = at_work?.past;
      at_work = undefined;
      await closing?.close();
    }

    async function pastOf(shop: LeasedShop): Promise<Past> {
      if (at_work?.project_id !== shop.project_id) {
        await close();
        at_work = { project_id: shop.project_id, past: await openPast(context, openApart, shop) };
      }
      return at_work.past;
    }

    async function step(instant: Instant): Promise<Progress> {
      const shop = await leaseSample(db, { instant, project_ids }, { by, until: instant + lease_ms });
      if (!shop) {
        await close();
        return "nothing";
      }
      const { project_id, days } = shop;
      try {
        await liveOn(await pastOf(shop), shop);
        const is_ready = days === days_max;
        const going = { days: days + 1, status: is_ready ? "ready" : "making", failures: 0, due_at: instant } as const;
        const is_ours = await putProgress(db, project_id, by, going);
        if (is_ready || !is_ours) await close();
      } catch (err) {
        log.error({ project_id, day: days, err }, "a sample shop could not go on");
        await close();
        const failures = shop.failures + 1;
        const status = failures < failures_max ? "making" : "failed";
        await putProgress(db, project_id, by, {
          days,
          status,
          failures,
          due_at: instant + failure_pause_ms * failures,
        });
      }
      return "more";
    }

    return {
      name: "sample shops",
      bell: { name: samples_bell, pause_ms: 0 },
      due: (instant) => someToMake({ instant, project_ids }),
      step,
      stop: close,
    };
  };

/** The next day of its past: first the one on which it is opened. */
async function liveOn(past: Past, shop: LeasedShop): Promise<void> {
  const opened_at = openedAt(shop);
  if (shop.days === 0) {
    past.turnTo(opened_at);
    await openTheShop(past);
  } else await liveADay(past, shop.days);
  past.turnTo(opened_at + shop.days * day_ms);
  // Nights that were missed are done at their own midnights, so that each need not be waited for.
  await (shop.days % nights_together === 0 ? past.runDue() : past.followUp());
}
