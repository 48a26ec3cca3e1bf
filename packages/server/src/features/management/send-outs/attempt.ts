import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Poster } from "../../../platform/outbound/index.js";
import { noteFailing, noteWorking } from "../webhooks/index.js";
import { switchOffAndTell } from "./callouts.js";
import { type Ended, recordEnds } from "./delivery.store.js";
import type { Ready } from "./prepare.js";
import { fateOf } from "./send-out.js";
import { signatureHeaders } from "./signature.js";

/** A message that has ended, and what its webhook must hear of it. */
export interface Told {
  end: Ended;
  was_failing: boolean;
  has_failed: boolean;
  is_exhausted: boolean;
}

/** Of a message that is not to be sent any more. */
export const untried = (end: Ended): Told => ({ end, was_failing: false, has_failed: false, is_exhausted: false });

/** Sends a message once; whatever happens, it comes to an end. */
export async function attempt(poster: Poster, message: Ready, instant: Instant): Promise<Told> {
  const { id, body, secret, headers: own, target_url, is_failing, ...leased } = message;
  const headers = {
    ...own,
    "content-type": "application/json",
    "user-agent": "Guerdon",
    ...signatureHeaders(id, body, { secret, at: instant }),
  };
  const { has_worked, ...answer } = await poster.post({ url: target_url, headers, body }).then(
    ({ status, text }) => ({
      has_worked: status >= 200 && status < 300,
      response_status: status,
      response_body: text,
      last_error: status >= 200 && status < 300 ? null : complaintOf(status),
    }),
    ({ message }: Error) => ({ has_worked: false, response_status: null, response_body: null, last_error: message }),
  );
  const { is_exhausted, ...fate } = fateOf(message, instant, has_worked);
  const attempts = message.attempts + 1;
  const end = { ...leased, id, body, ...fate, ...answer, attempts, executed_at: instant, target_url };
  return { end, was_failing: is_failing, has_failed: !has_worked, is_exhausted };
}

const complaintOf = (status: number) =>
  status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`;

/** Gathers what becomes of messages, so that it is written together. */
export function collectEnds(context: Context) {
  let told: Told[] = [];
  return {
    add: (one: Told) => void told.push(one),
    some: () => told.length > 0,
    async record(instant: Instant): Promise<void> {
      const ending = told;
      if (ending.length === 0) return;
      told = [];
      try {
        await recordAll(context, ending, instant);
      } catch (error) {
        // The database is away: nothing of it is lost as long as the process is there.
        told = [...ending, ...told];
        throw error;
      }
    },
  };
}

/** Writes what became of messages, and of their webhooks by that. */
async function recordAll(context: Context, told: readonly Told[], instant: Instant): Promise<void> {
  const { db, log } = context;
  await recordEnds(
    db,
    told.map(({ end }) => end),
  );
  const failed = told.filter(({ has_failed, was_failing }) => has_failed && !was_failing);
  const worked = told.filter(({ end, was_failing }) => end.status === "SUCCEEDED" && was_failing);
  if (failed.length > 0)
    await noteFailing(
      db,
      failed.map(({ end }) => end),
      instant,
    );
  if (worked.length > 0)
    await noteWorking(
      db,
      worked.map(({ end }) => end),
    );
  for (const { end, is_exhausted } of told) {
    const { project_id, webhook_id, id } = end;
    if (is_exhausted && (await switchOffAndTell(context, end, instant)))
      log.warn(
        { project_id, webhook_id, send_out_id: id },
        "a webhook was switched off: a message could not be delivered",
      );
  }
}
