import { idUnder } from "../../../events/index.js";
import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { betweenOf, listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { countsOf, pageOf } from "../../../platform/listing/index.js";
import { change, type Requested } from "../../../recording/index.js";
import { refusals } from "../../../terms/index.js";
import { knownProject } from "../../projects/index.js";
import { findWebhooks, senderOf } from "../webhooks/index.js";
import { findSendOut, type LoggedSendOut, listSendOuts, sendAgain } from "./log.store.js";
import { send_outs_bell } from "./send-out.js";
import type { SendOutBody, SendOutQuery, SendOutShown } from "./send-out.schemas.js";

/** What was sent to a project's webhooks, and what waits to be. */
export async function readSendOuts({ db, clock }: Context, project_id: string, query: SendOutQuery) {
  await knownProject(db, project_id);
  const { status = null, type = null, webhook_id = null } = query;
  const wanted = { status, type, webhook_id, created_at: betweenOf(query.created_at) };
  const page = pageOf(query);
  const listed = await listSendOuts(db.of(project_id), project_id, wanted, page, clock.now());
  return listBody("data", listed.rows.map(toShown), countsOf(listed, page));
}

export async function readSendOut({ db, clock }: Context, project_id: string, id: string): Promise<SendOutBody> {
  await knownProject(db, project_id);
  const found = await findSendOut(db, project_id, id, clock.now());
  if (!found) throw problems.notFound("send_out", id);
  return toBody(found);
}

/** One try more of a message that has ended, whether it had arrived or not, also while its webhook is off (events-and-webhooks.md §6). */
export async function retrySendOut(context: Context, cause: Requested, id: string): Promise<SendOutBody> {
  const { project_id, instant } = cause;
  return change(context, cause, async ({ tx, ring }) => {
    await knownProject(tx, project_id);
    const found = await findSendOut(tx, project_id, id, instant);
    if (!found) throw problems.notFound("send_out", id);
    const { webhook_id } = found;
    const [webhook] = await findWebhooks(tx, [{ project_id, webhook_id }]);
    if (!webhook) throw problems.notFound("webhook", webhook_id);
    const again = await sendAgain(tx, project_id, id, instant);
    if (!again) throw refusals.sendOutUnderWay(id);
    ring(send_outs_bell);
    return toBody(again);
  });
}

const toShown = (one: LoggedSendOut): SendOutShown => ({
  id: one.id,
  object: "send_out",
  status: one.status,
  type: one.type,
  source: { id: one.webhook_id, object: senderOf(one.webhook_id), target_url: one.target_url },
  event: {
    // An automation's message has a type of its own, and tells of the one event.
    id: senderOf(one.webhook_id) === "webhook" ? idUnder(one.type, one.event_id) : one.event_id,
    entity_id: one.entity_id,
    group_id: one.group_id,
    created_at: isoOf(one.created_at),
  },
  attempts: one.attempts,
  executed_at: isoOf(one.executed_at),
  next_attempt_at: isoOf(one.due_at),
  last_error: one.last_error,
  response: one.response_status === null ? null : { status: one.response_status, body: one.response_body ?? "" },
});

const toBody = (one: LoggedSendOut & { body: string | null }): SendOutBody => ({ ...toShown(one), message: one.body });
