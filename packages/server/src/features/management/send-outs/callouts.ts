import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { newRequestId } from "../../../platform/ids.js";
import { change } from "../../../recording/index.js";
import { eventSourceOf, the_service } from "../../../terms/index.js";
import { notify } from "../../notices/index.js";
import { findWithPassword } from "../../people/index.js";
import { findProject, listMembers, type Project } from "../../projects/index.js";
import { senderOf, switchOff } from "../webhooks/index.js";
import type { Ended } from "./delivery.store.js";

/** As many may be named. */
const administrators_max = 100;

/**
 * Switches off whom a message could not reach, and tells everybody whom the project wants told, by mail and on its pages
 * (events-and-webhooks.md §6): both or neither. Answers whether it was switched off by this message.
 */
export function switchOffAndTell(
  context: Pick<Context, "db" | "bell" | "seal" | "clock">,
  end: Ended,
  instant: Instant,
): Promise<boolean> {
  const { project_id, created_at } = end;
  const cause = { project_id, request_id: newRequestId(), event_source: eventSourceOf(the_service), instant };
  return change(context, cause, async (change) => {
    if (!(await switchOff(change.tx, end, created_at, instant))) return false;
    const project = await findProject(change.tx, project_id);
    if (!project) return true;
    const { in_app } = calloutsOf(project, end);
    const emails = await addressesFor(change.tx, project, end);
    await notify(context, change, { in_app, emails }, { notice: noticeOf(end), mail: mailOf(project, end) });
    return true;
  });
}

/** What the project wants of such news. */
function calloutsOf({ webhooks_callout_notifications: { webhooks, distributions } }: Project, { webhook_id }: Ended) {
  return senderOf(webhook_id) === "webhook" ? webhooks : distributions;
}

/** Those who are named; where nobody is, the administrators of the project who can sign in and switch it on again. */
async function addressesFor(tx: Tx, project: Project, end: Ended): Promise<readonly string[]> {
  const { email, emails } = calloutsOf(project, end);
  if (!email || emails.length > 0) return email ? emails : [];
  const members = await listMembers(tx, project.id, { limit: administrators_max, offset: 0 });
  const administrators = members.filter(({ role }) => role === "ADMIN");
  const known = await findWithPassword(
    tx,
    administrators.map(({ id }) => id),
  );
  return administrators.filter(({ id }) => known.has(id)).map((one) => one.email);
}

const noticeOf = ({ webhook_id: id, target_url }: Ended) => ({
  kind: senderOf(id),
  switched_off: { id, target_url: target_url === null ? "" : withoutSecrets(target_url) },
});

function mailOf({ id: project_id, name }: Project, { webhook_id, id, type, target_url, attempts, last_error }: Ended) {
  const sender = senderOf(webhook_id) === "webhook" ? "webhook" : "automation";
  const where = target_url === null ? "" : ` to ${withoutSecrets(target_url)}`;
  return {
    subject: `${name}: a${sender === "automation" ? "n" : ""} ${sender} was switched off`,
    text: [
      `The ${sender} ${webhook_id} of the project ${name} (${project_id}) was switched off: a message${where} could not be delivered.`,
      `It was ${type} (${id}), tried ${attempts} times; the last time: ${last_error ?? "it failed"}.`,
      "What happens while it is off is not sent later. Switch it on once its address answers again.",
    ].join("\n"),
  };
}

/** Some addresses have a password or a token in them, which is no business of a mail's. */
function withoutSecrets(target_url: string): string {
  const { origin, pathname } = new URL(target_url);
  return `${origin}${pathname}`;
}
